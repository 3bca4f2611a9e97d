import type { Verdict } from '@weir/verify'
import { expect, test } from 'vitest'
import type { Node, TransactionState } from '../chains/index.ts'
import type { FinalOutcome, SignedTransaction } from '../journal/index.ts'
import { findConflictingBytes } from './find-conflicting-bytes.ts'
import { meaningText } from './sign-transaction.ts'

const meaning = {
  blockchain: 'polygon',
  signer: '0xme',
  does: 'supply',
  venue: 'Aave V3 USDC',
  protocol: 'aave-v3',
  token: '0xusdc',
  amount: 5n,
  shares: null,
} as const
const wanted = { ok: true, meaning, envelope: { family: 'evm', nonce: 7, maxCost: 1n } } as Extract<
  Verdict,
  { ok: true }
>
const earlier = (more: Partial<SignedTransaction>) =>
  ({ hash: '0x1', nonce: 7, genesis: '0x0', meaning: meaningText(meaning), ...more }) as SignedTransaction

async function ask(
  entry: SignedTransaction,
  { fate = 'lost' as TransactionState, ending }: { fate?: TransactionState; ending?: FinalOutcome } = {},
) {
  const node = {
    serves: async (genesis: string) => genesis === '0x0',
    transactionState: async () => fate,
  } as unknown as Node
  const recorded: string[] = []
  const journal = {
    outcomeOf: () => ending,
    recordOutcome: (_: unknown, outcome: string) => void recorded.push(outcome),
  }
  const found = await findConflictingBytes(journal, node, [entry], wanted)
  expect(recorded).toEqual(fate === 'dead' && ending === undefined ? ['dead'] : [])
  return found
}

test('the same effect at the same nonce may be signed again, because at most one lands', async () => {
  expect(await ask(earlier({}))).toBeUndefined()
})

test.each(['lost', 'pending', 'included', 'final'] as const)(
  'another nonce, or another effect, is not signed while earlier bytes are %s',
  async (fate) => {
    expect(await ask(earlier({ nonce: 6 }), { fate })).toMatchObject({ hash: '0x1' })
    const other = meaningText({ ...meaning, venue: 'Yield Vault USDC' })
    expect(await ask(earlier({ meaning: other }), { fate })).toMatchObject({ hash: '0x1' })
  },
)

test('dead bytes, on the chain or in the journal, block nothing, and the journal learns of their death', async () => {
  expect(await ask(earlier({ nonce: 6 }), { fate: 'dead' })).toBeUndefined()
  expect(await ask(earlier({ nonce: 6 }), { ending: 'dead' })).toBeUndefined()
  expect(await ask(earlier({ nonce: 6, genesis: '0xold' }))).toBeUndefined()
  expect(await ask(earlier({ nonce: 6 }), { ending: 'refused' })).toMatchObject({ hash: '0x1' })
})

test('bytes that were closed as those of another chain block others while the endpoints serve their chain', async () => {
  expect(await ask(earlier({ nonce: 6 }), { ending: 'other-chain' })).toMatchObject({ hash: '0x1' })
  expect(await ask(earlier({ nonce: 6, genesis: '0xold' }), { ending: 'other-chain' })).toBeUndefined()
})
