import { chmod, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '../../kernel/index.ts'

/** Everything needed to use a sandbox (contract 2). */
export interface DemoCredentials {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  readonly organizationApiKey: string
  readonly profileApiKey: string
  readonly adminApiKey: string
}

const FIELDS = ['baseUrl', 'email', 'password', 'organizationApiKey', 'profileApiKey', 'adminApiKey'] as const
/** Only the user who runs the service can read it. */
const MODE = 0o600

export function demoFilePath(dataDir: string): string {
  return join(dataDir, 'sandbox-credentials.json')
}

/** The fields found in the file; empty when there is no file or it has another format. */
export async function readDemoFile(path: string): Promise<Partial<DemoCredentials>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
    await chmod(path, MODE)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
  const content = parseObject(text)
  return Object.fromEntries(
    FIELDS.flatMap((field) => (typeof content[field] === 'string' ? [[field, content[field]]] : [])),
  )
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text)
    return typeof content === 'object' && content !== null ? { ...content } : {}
  } catch (error) {
    // A truncated file counts as missing: its content is written again.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** Replaces the file as a whole. */
export async function writeDemoFile(path: string, credentials: DemoCredentials): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  replaceFile(path, `${JSON.stringify(credentials, null, 2)}\n`)
}
