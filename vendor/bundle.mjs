// Bundles the libraries of the pages as package-lock.json pins them, with their licences, and
// notes the hashes of what went in and what came out; a test compares them with the repository.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const FOLDERS = {
  "markdown.js": "../src/rich_agent/features/web_chat/page/vendor",
  "idiomorph.js": "../src/rich_agent/web/pages/vendor",
};
const AXE = "../tests/acceptance/axe";
const digest = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");

for (const [entry, folder] of Object.entries(FOLDERS)) {
  const built = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    metafile: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    outdir: folder,
  });
  writeFileSync(`${folder}/LICENSES.txt`, licencesOf(Object.keys(built.metafile.inputs)));
}

function licencesOf(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) packages.add(found[1]);
  }
  const licences = [...packages].sort().map((name) => {
    const folder = `node_modules/${name}`;
    const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
    const text = file ? readFileSync(`${folder}/${file}`, "utf8").trim() : `Licence: ${license}`;
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return licences.join(`\n${"-".repeat(80)}\n\n`);
}

if (!existsSync(AXE)) mkdirSync(AXE);
copyFileSync("node_modules/axe-core/axe.min.js", `${AXE}/axe.min.js`);
copyFileSync("node_modules/axe-core/LICENSE", `${AXE}/LICENSE`);

const inputs = ["package-lock.json", "package.json", "bundle.mjs", ...Object.keys(FOLDERS)];
const bundles = Object.entries(FOLDERS).flatMap(([entry, folder]) => [`${folder}/${entry}`, `${folder}/LICENSES.txt`]);
const outputs = [...bundles, `${AXE}/axe.min.js`];
const hashes = Object.fromEntries([...inputs, ...outputs].map((path) => [path, digest(path)]));
writeFileSync("hashes.json", `${JSON.stringify(hashes, null, 2)}\n`);
