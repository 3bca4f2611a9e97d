// What verify makes of a measured amount is in packages/verify; here, for which withdrawals the agent measures one.
import { type AllowList, sandboxAllowList } from '@weir/verify'
import { expect, test } from 'vitest'
import { TOKEN_PROGRAM, tokenAccountOf } from '../../../../packages/verify/src/solana/addresses.ts'
import { solanaBytes, u64 } from '../../../../packages/verify/src/test-bytes.ts'
import type { Node } from '../chains/index.ts'
import type { AgentTransaction } from '../service/work.ts'
import type { Parts } from './parts.ts'
import { verifyTransaction } from './sign-transaction.ts'

const WALLET = 'GHtXQBsoZHVnNFa9YevAzFr17DJjgHXk3ycTKD5xD3Zi'
const rules = sandboxAllowList.chains.find(({ family }) => family === 'svm')!
const vault = rules.venues.find(({ protocol }) => protocol === 'share-vault') as Extract<
  (typeof rules.venues)[number],
  { protocol: 'share-vault' }
>

/** A part of one token, in all the shares that it was worth at the first price. */
async function partOfShareVault(): Promise<string> {
  const mint = rules.tokens.find(({ symbol }) => symbol === vault.token)!.address
  const [tokens, shares] = await Promise.all([tokenAccountOf(WALLET, mint), tokenAccountOf(WALLET, vault.shareMint)])
  const accounts = [`ws:${WALLET}`, `w:${vault.vault}`, mint, `w:${vault.shareMint}`, `w:${vault.liquidity}`]
  return solanaBytes(WALLET, [
    { program: 'ComputeBudget111111111111111111111111111111', accounts: [], data: Buffer.from([2, 64, 13, 3, 0]) },
    {
      program: vault.program,
      accounts: [...accounts, `w:${tokens}`, `w:${shares}`, TOKEN_PROGRAM],
      data: Buffer.from([2, ...u64(1_000_000n * vault.sharesPerUnit), ...u64(1_000_000n)]),
    },
    { program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: [], data: Buffer.from('weir:12') },
  ])
}

const unlimited: AllowList = {
  ...sandboxAllowList,
  chains: sandboxAllowList.chains.map((chain) => ({
    ...chain,
    tokens: chain.tokens.map((token) => ({ ...token, maxAmount: null })),
  })),
} as AllowList
const parts = {
  allowList: unlimited,
  limits: { amounts: [] },
  approvers: undefined,
  journal: { venueOf: () => undefined },
} as unknown as Parts
const paying = (units: bigint) => ({ payout: async () => units }) as unknown as Node
const workWith = (unsignedTx: string, protocol: string) =>
  ({
    id: 12,
    operationId: 1,
    unsignedTx,
    metadata: {
      blockchain: 'solana',
      type: 'UNWIND',
      amount: '1.00',
      token: vault.token,
      walletAddress: WALLET,
      protocol,
    },
  }) as unknown as AgentTransaction

test('a part that is stated in shares on Solana is held to 1% more than was approved, without any limit', async () => {
  const work = workWith(await partOfShareVault(), 'share-vault')
  expect(await verifyTransaction(parts, paying(1_010_010n), work)).toMatchObject({ ok: true, moves: 1_010_010n })
  expect(await verifyTransaction(parts, paying(9_000_000n), work)).toMatchObject({ ok: false, code: 'WRONG_AMOUNT' })
})
