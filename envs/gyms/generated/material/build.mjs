// Bundles app.jsx into the file that its first argument names, with the licences of all that is in it. The
// first line holds the hash that is the second argument.
import { build } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [target, hash] = process.argv.slice(2), folder = import.meta.dirname;
const instant = {
  name: "instant",
  setup: (step) => step.onResolve({ filter: /\/internal\/Transition\.mjs$/ }, () => ({ path: join(folder, "instant.js") })),
};
const result = await build({
  entryPoints: [join(folder, "app.jsx")], bundle: true, minify: true, write: false, metafile: true, format: "iife", jsx: "automatic", target: "chrome120", charset: "utf8",
  legalComments: "none", define: { "process.env.NODE_ENV": '"production"' }, plugins: [instant],
});
const packages = new Set();
for (const file of Object.keys(result.metafile.inputs)) {
  const match = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(file);
  if (match) packages.add(match[1]);
}
const notices = [...packages].sort().map((place) => {
  const { name, version, license } = JSON.parse(readFileSync(join(place, "package.json")));
  const file = readdirSync(place).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no file of its licence`);
  return `${name} ${version}, ${license}\n\n${readFileSync(join(place, file), "utf8").trim()}`;
});
const text = notices.join("\n\n----\n\n").replaceAll("*/", "* /");
writeFileSync(target, `// sources ${hash}, see scripts/bundle_material.sh\n${result.outputFiles[0].text.trim()}\n/*\n${text}\n*/\n`);
