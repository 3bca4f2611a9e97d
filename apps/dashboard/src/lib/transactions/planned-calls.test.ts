import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sha256 } from '../proofs/sha256.ts'
import { callsText, type PlannedCalls } from './planned-calls.ts'

const document = readFileSync(fileURLToPath(new URL('../../../../../docs/approvals.md', import.meta.url)), 'utf8')
const [, documented = ''] = /```\n(weir calls 1\n[\s\S]*?)```/.exec(document) ?? []
const [, documentedHash] = /\(here\s+`([0-9a-f]{64})`\)/.exec(document) ?? []

const planned = (blockchain: string, calls: readonly object[]): PlannedCalls =>
  ({
    environment: 'sandbox',
    organizationId: 7,
    operation: {
      id: 345,
      opWallet: { id: 1, address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', blockchain },
      steps: calls.map((call) => ({ calls: [call] })),
    },
  }) as unknown as PlannedCalls

test('the text and its hash are those of docs/approvals.md', async () => {
  const [approve, supply] = [...documented.matchAll(/^data: (.*)$/gm)].map(([, data]) => data!)
  const text = callsText(
    planned('POLYGON', [
      { contract: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', value: '0', data: approve },
      { contract: '0x794a61358D6845594F94dc1DB02A252b5b4814aD', value: '0', data: supply },
    ]),
  )
  expect(text).toBe(documented)
  expect(await sha256(text)).toBe(documentedHash)
})

test('accounts of Solana are in order with their roles, and base58 keeps its case', () => {
  const contract = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'
  const accounts = [
    { address: contract, signer: true, writable: true },
    { address: contract, signer: false, writable: true },
    { address: contract, signer: false, writable: false },
  ]
  expect(
    callsText(planned('SOLANA', [{ contract, accounts, data: 'AQ==' }]))
      .split('\n')
      .slice(6, -1),
  ).toEqual([
    'step: 1',
    `contract: ${contract}`,
    `account: ${contract} signer writable`,
    `account: ${contract} writable`,
    `account: ${contract}`,
    'data: AQ==',
  ])
})
