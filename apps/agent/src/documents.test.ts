// The samples of docs/agent.md and docs/agents-protocol.md, given to what reads them.
import { readFileSync } from 'node:fs'
import { approvalText, liveAllowList } from '@weir/verify'
import { expect, test } from 'vitest'
import { createPasskey } from '../testing/passkey.ts'
import { parseApprovers } from './approvals/index.ts'
import { parseLimits } from './limits/index.ts'

const page = (name: string) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')
const blocks = (name: string) => [...page(name).matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

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
