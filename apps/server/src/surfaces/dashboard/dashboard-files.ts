import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { bestEncoding, type CompressedFile } from '../http/index.ts'

/** The built dashboard, which travels with the source: `npm run build:dashboard` writes it. */
const FOLDER = fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

export type DashboardFile = Omit<CompressedFile, 'etag'>

/** Reads the built files; each once, when a browser first asks for it. */
export class DashboardFiles {
  readonly #read = new Map<string, Promise<Buffer>>()
  #names: Promise<ReadonlySet<string>> | undefined

  /** The page, with a marker in place of the nonce. */
  async page(): Promise<string> {
    return (await this.#bytes('index.html')).toString()
  }

  /** An asset in the best encoding that the browser accepts; `undefined` if there is no such file. */
  async asset(name: string, acceptEncoding: string): Promise<DashboardFile | undefined> {
    this.#names ??= this.#bytes('files.json').then((text) => new Set(JSON.parse(text.toString()).assets as string[]))
    if (!(await this.#names).has(name)) return undefined
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    const encoding = bestEncoding(acceptEncoding)
    const bytes = await this.#bytes(join('assets', encoding === 'br' ? `${name}.br` : `${name}.gz`))
    return { type, encoding, bytes: encoding === undefined ? gunzipSync(bytes) : bytes }
  }

  #bytes(file: string): Promise<Buffer> {
    let read = this.#read.get(file)
    if (read === undefined) {
      read = readFile(join(FOLDER, file))
      // A file that could not be read is tried again.
      read.catch(() => this.#read.delete(file))
      this.#read.set(file, read)
    }
    return read
  }
}
