import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, outageLogsBy } from '../../kernel/index.ts'

/** Who an agent is. `id` is the id of its API key. */
export interface AgentRecord {
  readonly id: number
  readonly organizationId: number
  readonly name: string
  readonly createdAt: Date
}

/** An agent's folder: what outlives its process and the service. */
export interface AgentFolder {
  readonly path: string
  readonly agent: AgentRecord
}

/** Made under another name and renamed once complete: a killed start leaves nothing that looks like an agent. */
const UNFINISHED = '.unfinished-'
const RECORD = 'agent.json'

export const apiKeyFile = (path: string) => join(path, 'api-key')
export const passphraseFile = (path: string) => join(path, 'passphrase')

/**
 * Writes the folder of a new agent below `root`, on disk when this returns and readable by the service's user only.
 * `unique` keeps its name apart from folders of an earlier database, whose ids may be the same.
 */
export function writeAgentFolder(
  root: string,
  agent: AgentRecord,
  secrets: { readonly apiKey: string; readonly passphrase: string; readonly unique: string },
): AgentFolder {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const name = `${agent.id}-${secrets.unique}`
  const draft = join(root, `${UNFINISHED}${name}`)
  mkdirSync(draft, { mode: 0o700 })
  const write = (file: string, text: string) => writeFileSync(file, `${text}\n`, { mode: 0o600, flush: true })
  write(apiKeyFile(draft), secrets.apiKey)
  write(passphraseFile(draft), secrets.passphrase)
  write(join(draft, RECORD), JSON.stringify(agent))
  const path = join(root, name)
  renameSync(draft, path)
  return { path, agent }
}

const unreadableOf = outageLogsBy({
  away: 'failed to read the folder of a sandbox agent',
  back: 'the folder of a sandbox agent can be read again',
})

/** The agents below `root` that were not stopped for good. */
export function readAgentFolders(root: string, log: Log): AgentFolder[] {
  if (!existsSync(root)) return []
  for (const name of readdirSync(root))
    if (name.startsWith(UNFINISHED)) rmSync(join(root, name), { recursive: true, force: true })
  return readAllAgentFolders(root, log).filter(({ path }) => existsSync(apiKeyFile(path)))
}

/** The same with those that were stopped for good. A folder that cannot be read is logged once and left alone. */
export function readAllAgentFolders(root: string, log: Log): AgentFolder[] {
  if (!existsSync(root)) return []
  const unreadable = unreadableOf(log, log)
  return readdirSync(root).flatMap((name) => {
    const path = join(root, name)
    if (name.startsWith(UNFINISHED)) return []
    try {
      const agent = JSON.parse(readFileSync(join(path, RECORD), 'utf8')) as AgentRecord
      unreadable.recovered({ folder: path })
      return [{ path, agent: { ...agent, createdAt: new Date(agent.createdAt) } }]
    } catch (error) {
      unreadable.failed({ folder: path }, { err: error })
      return []
    }
  })
}

export function readApiKey({ path }: AgentFolder): string {
  return readFileSync(apiKeyFile(path), 'utf8').trim()
}

/** From now on no start finds the agent. The keys of its wallets, their passphrase and its journal stay. */
export function retireAgentFolder({ path }: AgentFolder): void {
  rmSync(apiKeyFile(path), { force: true })
}

/** For an agent that never ran, whose folder has no key of a wallet, and for one of an erased organization. */
export function removeAgentFolder({ path }: AgentFolder): void {
  rmSync(path, { recursive: true, force: true })
}
