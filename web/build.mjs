/* Bundles the sources into the packages that ship them. With --check: says whether the built files are what the sources
   give, and changes nothing. */
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bundles = [
  ["src/report.ts", "../src/stressfield/report/static/replay.js"],
  ["src/app/main.ts", "../src/stressfield/serve/static/app.js"],
];
let stale = 0;
for (const [source, target] of bundles) {
  const made = await build({
    entryPoints: [here(source)], bundle: true, write: false, format: "iife", target: "es2022", charset: "utf8",
    legalComments: "none", logLevel: "error", absWorkingDir: here("."),
  });
  const text = made.outputFiles[0].text;
  if (!process.argv.includes("--check")) {
    await writeFile(here(target), text);
  } else if ((await readFile(here(target), "utf8")) !== text) {
    console.error(`${target.replace("../", "")} is not what web/${source} gives. Build it with: make web`);
    stale = 1;
  }
}
process.exit(stale);
