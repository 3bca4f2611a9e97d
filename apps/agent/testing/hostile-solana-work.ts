import { sandboxAllowList } from '@weir/verify'
import { TOKEN_PROGRAM, tokenAccountOf } from '../../../packages/verify/src/solana/addresses.ts'
import { solanaBytes, type TestInstruction, u64 } from '../../../packages/verify/src/test-bytes.ts'
import type { Work } from './hostile-service.ts'
import { nextId, workOf } from './hostile-work.ts'

const rules = sandboxAllowList.chains.find(({ family }) => family === 'svm')!
const vault = rules.venues.find(({ protocol }) => protocol === 'share-vault') as Extract<
  (typeof rules.venues)[number],
  { protocol: 'share-vault' }
>
const MINT = rules.tokens.find(({ symbol }) => symbol === vault.token)!.address
const STRANGER = 'GHtXQBsoZHVnNFa9YevAzFr17DJjgHXk3ycTKD5xD3Zi'

export const transferOfSol = (from: string): TestInstruction => ({
  program: '11111111111111111111111111111111',
  accounts: [`ws:${from}`, `w:${STRANGER}`],
  data: Buffer.from([2, 0, 0, 0, ...u64(1_000n)]),
})

export interface SolanaWorkOptions {
  /** Instructions before and after the deposit. */
  readonly before?: readonly TestInstruction[]
  readonly after?: readonly TestInstruction[]
  readonly memo?: string
  /** Micro-lamports for each compute unit. */
  readonly price?: bigint
  /** Whose share account receives. */
  readonly receiver?: string
}

/** Fifty tokens into the share vault, as an honest service issues it except for what a test changes. */
export async function solanaSupplyOf(wallet: string, options: SolanaWorkOptions = {}): Promise<Work> {
  const id = nextId()
  const { before = [], after = [], memo = `weir:${id}`, price = 0n, receiver = wallet } = options
  const [tokens, shares] = await Promise.all([tokenAccountOf(wallet, MINT), tokenAccountOf(receiver, vault.shareMint)])
  const accounts = [`ws:${wallet}`, `w:${vault.vault}`, MINT, `w:${vault.shareMint}`, `w:${vault.liquidity}`]
  const budget = 'ComputeBudget111111111111111111111111111111'
  const bytes = solanaBytes(wallet, [
    { program: budget, accounts: [], data: Buffer.from([2, 64, 13, 3, 0]) },
    { program: budget, accounts: [], data: Buffer.from([3, ...u64(price)]) },
    ...before,
    {
      program: vault.program,
      accounts: [...accounts, `w:${tokens}`, `w:${shares}`, TOKEN_PROGRAM],
      data: Buffer.from([1, ...u64(50_000_000n), ...u64(50_000_000n * vault.sharesPerUnit)]),
    },
    ...after,
    { program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: [], data: Buffer.from(memo) },
  ])
  return workOf(wallet, { id, bytes, metadata: { blockchain: 'solana', walletId: 2, token: vault.token } })
}
