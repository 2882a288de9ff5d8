/* Parts of the viewer that few need at once: space (three.js) and recordings (readers of MCAP and bags). The server has them as
   files; a page that is one file holds them compressed, and its policy knows their hash. */
import type { Space } from "./space";
import type { openRecording } from "../recording/recording";

interface Made { space: { Space: typeof Space }; recording: { openRecording: typeof openRecording } }
type Name = keyof Made;

const place = globalThis as unknown as { stressfieldParts?: Partial<Made> };
const coming = new Map<Name, Promise<unknown>>();

export function provide<N extends Name>(name: N, made: Made[N]): void {
  (place.stressfieldParts ??= {})[name] = made;
}

/* Whether this page has it at all. */
export function isHere(name: Name): boolean {
  return place.stressfieldParts?.[name] !== undefined || document.getElementById(`part-${name}`) !== null || location.protocol.startsWith("http");
}

export function part<N extends Name>(name: N): Promise<Made[N]> {
  const found = coming.get(name) ?? load(name);
  coming.set(name, found);
  return found as Promise<Made[N]>;
}

async function load(name: Name): Promise<Made[Name]> {
  if (!place.stressfieldParts?.[name]) {
    const script = document.createElement("script"), held = document.getElementById(`part-${name}`);
    if (held) {
      const packed = Uint8Array.from(atob((held.textContent ?? "").trim()), (c) => c.charCodeAt(0));
      script.textContent = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
      document.head.append(script);
    } else {
      await new Promise<void>((done, fail) => {
        script.onload = () => done();
        script.onerror = () => fail(new Error(`The file /static/${name}.js could not be loaded.`));
        script.src = `/static/${name}.js`;
        document.head.append(script);
      });
    }
  }
  const made = place.stressfieldParts?.[name];
  if (!made) throw new Error(`The part '${name}' of the viewer did not start.`);
  return made;
}
