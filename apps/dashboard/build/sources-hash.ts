import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The SHA-256 of everything that the built files depend on, except for the versions of libraries in the lock file. */
export function sourcesHash(folder: string): string {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
  const settings = [
    'index.html',
    'package.json',
    'vite.config.ts',
    'build/finish-build.ts',
    'build/first-load.ts',
    'build/preload-steps.ts',
    'build/react-ids.ts',
    'build/third-party.ts',
  ].map((name) => join(folder, name))
  const hash = createHash('sha256')
  for (const file of [...sources, ...settings].sort()) {
    hash.update(relative(folder, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}
