import {
  createAssociatedTokenIdempotent,
  type SvmInstruction,
  TOKEN_PROGRAM,
  u64,
  writableAccount,
} from '../../../src/chains/index.ts'
import { transactionMemo } from '../../../src/chains/solana/transactions/encode.ts'
import { memo, transferNative, transferTokens } from '../../../src/chains/solana/transactions/instructions.ts'
import type { Action } from '../../clients/action.ts'
import type { SolanaRun } from '../solana-run.ts'
import { MARKETS, VAULT_PROGRAM, type VaultMarket } from '../world/market.ts'
import { bytesOf, clientOf } from './requests.ts'
import type { SolanaWalletClient } from './wallet-client.ts'

/** What holders do without the service, which has to notice it. */
export const OUTSIDE: readonly Action<SolanaRun>[] = [
  {
    name: 'send tokens away',
    weight: 4,
    async act(run, random) {
      const holder = clientOf(run, random)
      const { token } = random.pick(MARKETS)
      give(run, { from: holder, to: run.stranger, mint: token, amount: random.part(holder.balance(token), 1, 60) })
    },
  },
  {
    name: 'receive tokens',
    weight: 3,
    async act(run, random) {
      const holder = clientOf(run, random)
      const { token } = random.pick(MARKETS)
      const giver = random.pick([run.stranger, ...run.holders.filter((other) => other !== holder)])
      give(run, { from: giver, to: holder, mint: token, amount: random.part(giver.balance(token), 1, 30) })
    },
  },
  {
    name: 'deposit outside Weir',
    weight: 3,
    async act(run, random) {
      const holder = clientOf(run, random)
      const market = random.pick(MARKETS)
      const amount = random.part(holder.balance(market.token), 1, 40)
      run.record(
        `  ${holder.send(vaultCall(run, holder, { market, data: [1, ...u64(amount), ...u64(0n)], opened: market.shareMint }))}`,
      )
    },
  },
  {
    name: 'redeem outside Weir',
    weight: 2,
    async act(run, random) {
      const holder = clientOf(run, random)
      const market = random.pick(MARKETS)
      const shares = random.part(holder.balance(market.shareMint), 1, 100)
      if (shares === 0n) return
      run.record(
        `  ${holder.send(vaultCall(run, holder, { market, data: [2, ...u64(shares), ...u64(0n)], opened: market.token }))}`,
      )
    },
  },
  {
    name: 'transfer shares away',
    weight: 2,
    async act(run, random) {
      const holder = clientOf(run, random)
      const { shareMint } = random.pick(MARKETS)
      const to = random.chance(0.4) ? random.pick(run.holders) : run.stranger
      const held = holder.balance(shareMint)
      if (held > 0n && to !== holder)
        give(run, { from: holder, to, mint: shareMint, amount: random.part(held, 1, 100) })
    },
  },
  {
    name: 'close empty token accounts',
    weight: 1,
    async act(run, random) {
      const holder = clientOf(run, random)
      const { token, shareMint } = random.pick(MARKETS)
      const account = run.accounts.of(holder.address, random.pick([token, shareMint]))
      if (run.cluster.latest.state.tokens.get(account)?.amount !== 0n) return
      const accounts = [writableAccount(account), writableAccount(holder.address), signing(holder)]
      run.record(`  ${holder.send([{ program: TOKEN_PROGRAM, accounts, data: base64([9]) }])}`)
    },
  },
  {
    name: 'write what looks like a plan’s memo',
    weight: 2,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(random.chance(0.7) ? holder : clientOf(run, random), random)
      if (!bytes) return
      const { token } = random.pick(MARKETS)
      const amount = random.part(holder.balance(token), 1, 5)
      const from = run.accounts.of(holder.address, token)
      const to = run.accounts.of(run.stranger.address, token)
      const instructions = [
        transferTokens(from, to, holder.address, amount),
        memo(transactionMemo(bytes.transaction.transactionId)),
      ]
      run.record(`  memo of ${bytes.transaction.transactionId}: ${holder.send(instructions)}`)
    },
  },
  {
    name: 'drain or refill lamports',
    weight: 1,
    async act(run, random) {
      const holder = clientOf(run, random)
      const held = run.cluster.latest.state.native(holder.address)
      const isPoor = held < 1_000_000_000n
      const [from, to] = isPoor ? [run.stranger, holder] : [holder, run.stranger]
      const amount = isPoor ? 5_000_000_000n : held - BigInt(random.pick([0, 20_000, 1_500_000, 2_100_000])) - 5_000n
      run.record(`  ${from.send([transferNative(from.address, to.address, amount)])}`)
    },
  },
]

interface TokenGift {
  readonly from: SolanaWalletClient
  readonly to: SolanaWalletClient
  readonly mint: string
  readonly amount: bigint
}

function give(run: SolanaRun, { from, to, mint, amount }: TokenGift): void {
  const account = run.accounts.of(to.address, mint)
  const hash = from.send([
    createAssociatedTokenIdempotent(from.address, to.address, mint, account),
    transferTokens(run.accounts.of(from.address, mint), account, from.address, amount),
  ])
  run.record(`  ${amount} from ${from.address.slice(0, 4)} to ${to.address.slice(0, 4)} as ${hash}`)
}

interface VaultCall {
  readonly market: VaultMarket
  readonly data: readonly number[]
  readonly opened: string
}

function vaultCall(
  { accounts }: SolanaRun,
  holder: SolanaWalletClient,
  { market: { token, vault, shareMint, liquidity }, data, opened }: VaultCall,
): SvmInstruction[] {
  const { address } = holder
  const own = [vault, token, shareMint, liquidity, accounts.of(address, token), accounts.of(address, shareMint)]
  return [
    createAssociatedTokenIdempotent(address, address, opened, accounts.of(address, opened)),
    {
      program: VAULT_PROGRAM,
      accounts: [signing(holder), ...own.map(writableAccount), { ...writableAccount(TOKEN_PROGRAM), writable: false }],
      data: base64(data),
    },
  ]
}

const signing = ({ address }: SolanaWalletClient) => ({ address, signer: true, writable: false })
const base64 = (bytes: readonly number[]): string => Buffer.from(bytes).toString('base64')
