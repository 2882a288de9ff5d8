/* Bundles the sources into the packages that ship them. With --check: says whether the built files are what the sources
   give, and changes nothing. */
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/* What is mostly the code of others is made small and kept compressed: pages of one file hold it so, the server sends it so. */
const bundles = [
  ["src/report.ts", "../src/stressfield/report/static/replay.js"],
  ["src/drop/main.ts", "../src/stressfield/report/static/drop.js"],
  ["src/parts/space.ts", "../src/stressfield/report/static/space.js.gz"],
  ["src/parts/recording.ts", "../src/stressfield/report/static/recording.js.gz"],
  ["src/app/main.ts", "../src/stressfield/serve/static/app.js"],
];
/* Of two packages the reader of bags needs what we have ourselves; theirs makes functions from text, which no policy of ours allows. */
const alias = { "@foxglove/rosmsg": here("src/recording/definition.ts"), "@foxglove/rosmsg-serialization": here("src/recording/ros1.ts") };
let stale = 0;
for (const [source, target] of bundles) {
  const packed = target.endsWith(".gz");
  const made = await build({
    entryPoints: [here(source)], bundle: true, write: false, format: "iife", target: "es2022", charset: "utf8", minify: packed,
    legalComments: packed ? "inline" : "none", alias, logLevel: "error", absWorkingDir: here("."),
  });
  const text = made.outputFiles[0].text;
  if (!process.argv.includes("--check")) {
    await writeFile(here(target), packed ? gzipSync(text, { level: 9 }) : text);
    continue;
  }
  const kept = await readFile(here(target));
  /* Other versions of zlib compress to other bytes: what counts is what comes out. */
  if ((packed ? gunzipSync(kept) : kept).toString("utf8") !== text) {
    console.error(`${target.replace("../", "")} is not what web/${source} gives. Build it with: make web`);
    stale = 1;
  }
}
process.exit(stale);
