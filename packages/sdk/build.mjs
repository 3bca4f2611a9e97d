// Compiles src into dist. Both carry the same file names, so that a stack trace leads to the source.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const dist = join(folder, 'dist')
const compiler = createRequire(join(folder, 'generator/')).resolve('typescript/lib/tsc.js')

rmSync(dist, { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' })

// The compiler rewrites the extensions of imports in JavaScript only.
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))) {
  const file = join(dist, name)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*|import\("\.[^"]*)\.ts(?=['"])/g, '$1.js'))
}
