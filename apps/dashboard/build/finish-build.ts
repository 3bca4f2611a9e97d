import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { sourcesHash } from './sources-hash.ts'

/**
 * Keeps each asset compressed only, so that the service compresses nothing and the repository stays small, and lists the assets together with the hash of the sources
 * that they were built from.
 */
export function finishBuild(folder: string): Plugin {
  return {
    name: 'finish-build',
    closeBundle() {
      const dist = join(folder, 'dist')
      const assets = readdirSync(join(dist, 'assets')).filter((name) => !/\.(?:br|gz)$/.test(name))
      for (const name of assets) {
        const file = join(dist, 'assets', name)
        const bytes = readFileSync(file)
        const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: size }))
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
        rmSync(file)
      }
      const list = { sources: sourcesHash(folder), assets: assets.sort() }
      writeFileSync(join(dist, 'files.json'), `${JSON.stringify(list, null, 2)}\n`)
    },
  }
}
