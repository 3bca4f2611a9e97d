import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What starts a program: the bundle that the test run made of it, if it made one, or its source. */
export function programFile(name: string, source: URL): string {
  const bundle = join(process.env.TEST_PROGRAMS_DIR ?? '', `${name}.mjs`)
  return existsSync(bundle) ? bundle : fileURLToPath(source)
}
