import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/promtool', import.meta.url))
const OWN = join(FOLDER, 'usr/bin/promtool')

/**
 * The path of promtool: installed, of an earlier call, or taken from Debian's package, of which nothing is installed or
 * started. `undefined` where there is none. `reason` says why.
 */
export function findPromtool(): { readonly path?: string; readonly reason: string } {
  const known = [process.env.PROMTOOL, OWN, '/usr/bin/promtool'].find((path) => path !== undefined && existsSync(path))
  if (known !== undefined) return { path: known, reason: '' }
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb'))
    return { reason: 'there is no promtool, and no apt to get it from' }
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'))
  try {
    const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: folder, stdio: 'ignore' })
    const download = () => run('apt-get', 'download', 'prometheus').status === 0
    if (!download() && process.getuid?.() === 0) {
      run('apt-get', 'update')
      download()
    }
    const archive = readdirSync(folder).find((name) => name.endsWith('.deb'))
    if (archive === undefined) return { reason: 'apt has no package prometheus' }
    mkdirSync(FOLDER, { recursive: true })
    const extract = 'dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" ./usr/bin/promtool'
    run('sh', '-c', extract, 'sh', archive, FOLDER)
    return existsSync(OWN) ? { path: OWN, reason: '' } : { reason: 'the package prometheus holds no promtool' }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
