// Puts the extension and what it needs into one file, and the project's licence beside it.

import { copyFileSync } from "node:fs";
import { build } from "esbuild";

await build({
  entryPoints: ["src/extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  minify: true,
});
copyFileSync("../../LICENSE", "LICENSE");
