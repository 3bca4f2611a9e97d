import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What a newcomer needs to use a sandbox (contract 2). */
export interface DemoCredentials {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  readonly organizationApiKey: string
  readonly profileApiKey: string
  readonly adminApiKey: string
}

const FIELDS = ['baseUrl', 'email', 'password', 'organizationApiKey', 'profileApiKey', 'adminApiKey'] as const
/** Only the user who runs the service reads it. */
const MODE = 0o600

export function demoFilePath(dataDir: string): string {
  return join(dataDir, 'sandbox-credentials.json')
}

/** The file's fields, those that are there; empty when there is no file or it is not one of ours. */
export async function readDemoFile(path: string): Promise<Partial<DemoCredentials>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
    await chmod(path, MODE)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
  const content = parsed(text)
  return Object.fromEntries(
    FIELDS.flatMap((field) => (typeof content[field] === 'string' ? [[field, content[field]]] : [])),
  )
}

function parsed(text: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text)
    return typeof content === 'object' && content !== null ? { ...content } : {}
  } catch (error) {
    // A file that a person cut in half is as good as none: what it should say is written again.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** Replaces the file in one step: a reader, and a crash, see the old one or the new one. */
export async function writeDemoFile(path: string, credentials: DemoCredentials): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}`
  try {
    const file = await open(draft, 'wx', MODE)
    try {
      await file.writeFile(`${JSON.stringify(credentials, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
