import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Blockchain } from '../../chains/index.ts'
import { replaceFile } from '../../kernel/index.ts'

/** What `weir chains` writes, and processes with CHAINS_FILE read (docs/sandbox.md). */
export interface ChainsFile {
  readonly version: 1
  /** Where the chains are served: `http://127.0.0.1:3100`. */
  readonly url: string
  /** Authorizes processes of Weir to control the chains: 64 hexadecimal digits. */
  readonly secret: string
  /** JSON-RPC of each chain for everyone on this machine: public methods, without the secret. */
  readonly rpc: Readonly<Partial<Record<Blockchain, string>>>
}

export function chainsFilePath(dataDir: string): string {
  return join(dataDir, 'chains.json')
}

/** Reads the file. Throws when it is missing, or is not such a file. */
export async function readChainsFile(path: string): Promise<ChainsFile> {
  const found = await parse(path)
  if (found === undefined) throw new Error(`${path} was not written by weir chains`)
  return found
}

/** The secret of an earlier start, so that processes continue after a restart of the chains; otherwise a new one. */
export async function secretFor(path: string): Promise<string> {
  const earlier = await parse(path).catch(() => undefined)
  return earlier?.secret ?? randomBytes(32).toString('hex')
}

/** Replaces the file as a whole; only the user who runs the chains can read it. */
export async function writeChainsFile(path: string, content: ChainsFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  replaceFile(path, `${JSON.stringify(content, null, 2)}\n`)
}

async function parse(path: string): Promise<ChainsFile | undefined> {
  const text = await readFile(path, 'utf8')
  try {
    const content = JSON.parse(text) as Partial<ChainsFile> | null
    const isComplete =
      content?.version === 1 &&
      typeof content.url === 'string' &&
      URL.canParse(content.url) &&
      typeof content.secret === 'string' &&
      /^[0-9a-f]{64}$/.test(content.secret)
    return isComplete ? (content as ChainsFile) : undefined
  } catch {
    return undefined
  }
}
