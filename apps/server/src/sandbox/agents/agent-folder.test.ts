import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../../kernel/index.ts'
import { readAgentFolders, readApiKey, retireAgentFolder, writeAgentFolder } from './agent-folder.ts'

const agent = { id: 7, organizationId: 3, name: 'Agent', createdAt: new Date('2026-01-01T00:00:00Z') }
const secrets = { apiKey: 'svc_sandbox_key', passphrase: 'a passphrase', unique: 'abc' }

function root(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-agents-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'agents')
}
const read = (path: string) => readAgentFolders(path, silentLog)

test('an agent is read as it was written, and only the service’s user can read its folder', () => {
  const path = root()
  expect(read(path)).toEqual([])
  const written = writeAgentFolder(path, agent, secrets)
  expect(read(path)).toEqual([written])
  expect(readApiKey(written)).toBe('svc_sandbox_key')
  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)
  const files = readdirSync(written.path).toSorted()
  expect(files).toEqual(['agent.json', 'api-key', 'passphrase'])
  expect(files.map((file) => modeOf(join(written.path, file)))).toEqual(['600', '600', '600'])
  expect([modeOf(path), modeOf(written.path)]).toEqual(['700', '700'])
})

test('a retired agent keeps its passphrase and is no longer read', () => {
  const path = root()
  const written = writeAgentFolder(path, agent, secrets)
  retireAgentFolder(written)
  expect(read(path)).toEqual([])
  expect(readdirSync(written.path).toSorted()).toEqual(['agent.json', 'passphrase'])
})

test('what a killed start left is removed, and a damaged folder is left alone', () => {
  const path = root()
  const written = writeAgentFolder(path, agent, secrets)
  mkdirSync(join(path, '.unfinished-8-def'))
  writeFileSync(join(path, '.unfinished-8-def', 'api-key'), 'half')
  const damaged = writeAgentFolder(path, { ...agent, id: 9 }, secrets)
  writeFileSync(join(damaged.path, 'agent.json'), '{')
  expect(read(path)).toEqual([written])
  expect(readdirSync(path).toSorted()).toEqual(['7-abc', '9-abc'])
})
