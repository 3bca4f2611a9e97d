// The samples of docs/agent.md and docs/agents-protocol.md, given to what reads them.
import { globSync, readFileSync } from 'node:fs'
import { approvalText, liveAllowList } from '@weir/verify'
import { expect, test } from 'vitest'
import { agentDocument, EXPLAINED_CODES, EXPLAINED_STEPS } from '../../../scripts/documents/write-agent-doc.ts'
import { createPasskey } from '../testing/passkey.ts'
import { parseApprovers } from './approvals/index.ts'
import { SETTINGS } from './config/settings.ts'
import { parseLimits } from './limits/index.ts'
import { WORK_STEPS } from './work/index.ts'

const page = (name: string) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')
const blocks = (name: string) => [...page(name).matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

test('the command of docs/agent.md sets settings that the agent has', () => {
  const shown = blocks('agent').find((code) => code.endsWith(' weir agent\n'))!
  const names = [...shown.matchAll(/(\w+)=/g)].map(([, name]) => name)
  expect(names).toEqual(['WEIR_API_KEY', 'KEYSTORE_PASSPHRASE'])
  const settings = Object.values(SETTINGS).map(({ name }) => name)
  expect(settings).toEqual(expect.arrayContaining(names))
})

test('the agent reads the limits of docs/agent.md', () => {
  const shown = blocks('agent').find((code) => code.includes('"fees"'))!
  const { amounts, fees } = parseLimits(JSON.parse(shown), liveAllowList)
  expect([amounts.length, fees.length]).toEqual([4, 2])
})

test('the agent reads the approvers of docs/agent.md', () => {
  const shown = blocks('agent').find((code) => code.includes('"approvers"'))!
  // Credentials and keys are shortened there.
  const file = JSON.parse(shown, (name, value: unknown) => {
    if (name !== 'passkeys') return value
    const { credentialId, publicKey } = createPasskey()
    return [{ credentialId, publicKey }]
  })
  const { approvers, rules } = parseApprovers(file, liveAllowList)
  expect([approvers.length, rules.length]).toEqual([2, 2])
})

test('the content of docs/agents-protocol.md has the text below it', () => {
  const shown = blocks('agents-protocol').find((code) => code.startsWith('"approval"'))!
  const text = blocks('agents-protocol').find((code) => code.startsWith('weir approval 1'))!
  const { content } = (JSON.parse(`{${shown}}`) as { approval: { content: Record<string, string> } }).approval
  const read = { ...content, amount: BigInt(content.amount!), plannedAt: new Date(content.plannedAt!) }
  expect(approvalText(read as never)).toBe(text)
})

test('docs/agent.md explains each code with which the agent signs nothing, each step and each metric', () => {
  const written = page('agent')
  expect(written, 'run: node scripts/documents/write-agent-doc.ts').toBe(agentDocument(written))
  const folder = new URL('.', import.meta.url).pathname
  const sources = globSync('**/*.ts', { cwd: folder }).filter((path) => !path.endsWith('.test.ts'))
  const own = sources.flatMap((path) => [
    ...readFileSync(new URL(path, import.meta.url), 'utf8').matchAll(/['"`]([A-Z]+(?:_[A-Z]+)+): /g),
  ])
  const verified = readFileSync(new URL('../../../packages/verify/src/refusal.ts', import.meta.url), 'utf8')
  const codes = [...own, ...verified.matchAll(/\| '([A-Z_]+)'/g)].map(([, code = '']) => code)
  expect([...new Set(codes)].sort()).toEqual(EXPLAINED_CODES.toSorted())
  expect(EXPLAINED_STEPS.toSorted()).toEqual(WORK_STEPS.toSorted())
  const metrics = readFileSync(new URL('status/status.ts', import.meta.url), 'utf8').match(/weir_agent_\w+/g) ?? []
  expect(metrics.filter((name) => !written.includes(`| \`${name}`))).toEqual([])
})
