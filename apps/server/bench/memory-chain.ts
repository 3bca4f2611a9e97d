import {
  createEvmChain,
  type EvmBlock,
  type EvmChain,
  type EvmIncludedTransaction,
  type Network,
} from '../src/chains/index.ts'
import { silentLog, systemClock } from '../src/kernel/index.ts'
import { PRICE_SCALE } from '../src/venues/erc4626/price.ts'
import type { VenueSeed } from '../src/venues/index.ts'

/** One chain with one vault, served from memory: benchmarks measure the service's work, not a node's. */
const NETWORK: Network = {
  blockchain: 'polygon',
  family: 'evm',
  chainId: 31_338,
  nativeSymbol: 'POL',
  confirmations: 1,
  tokens: [
    {
      symbol: 'USDC',
      name: 'USD Coin',
      address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
      decimals: 6,
      needsZeroAllowance: false,
    },
  ],
}
export const TOKEN = NETWORK.tokens[0]!.address
export const VAULT = '0x794a61358D6845594F94dc1DB02A252b5b4814aD'
/** The vault's place in the catalogue, on a chain of this name. */
const seedOn = (blockchain: string): VenueSeed => ({
  key: `bench-${blockchain}`,
  name: 'Bench',
  protocol: 'erc4626',
  blockchain,
  iconUrl: null,
  strategies: [
    {
      key: `erc4626:${blockchain}:USDC`,
      name: 'Vault USDC',
      token: 'USDC',
      tokenAddress: TOKEN,
      tokenDecimals: 6,
      minDeposit: 1n,
      maxDeposit: null,
      status: 'active',
      supportsGasSponsorship: true,
      params: { vault: VAULT },
    },
  ],
})
export const SEEDS: readonly VenueSeed[] = [seedOn('polygon')]
/** Two chains, for two workers. */
export const TWO_CHAINS = ['base', 'polygon'] as const
export const SEEDS_OF_TWO: readonly VenueSeed[] = TWO_CHAINS.map(seedOn)
/** Each wallet's balance before it supplies anything. */
export const WALLET_BALANCE = 1_000_000_000_000n
/** Transactions that each wallet sent before. Its history uses lower nonces, plans the next ones. */
export const USED_NONCES = 1_000
/** The vault's price: what it reports for {@link PRICE_SCALE} shares. */
const SHARE_PRICE = 10n ** 18n

export interface MemoryChain extends EvmChain {
  /** The vault's allowance from every wallet. If it equals the supplied amount, a supply is one transaction. */
  allowance: bigint
  /** Each wallet's deposits into the vault; one share is worth one token. */
  readonly supplied: Map<string, bigint>
  /** Appends a block, which is final immediately. */
  append(transactions: readonly Omit<EvmIncludedTransaction, 'blockNumber'>[]): void
  /** Appends a block that is not final. */
  appendHead(transactions: readonly Omit<EvmIncludedTransaction, 'blockNumber'>[]): void
  /** Makes every block final. */
  finalize(): void
}

export function createMemoryChain(blockchain = NETWORK.blockchain): MemoryChain {
  const network = { ...NETWORK, blockchain }
  const real = createEvmChain({ network, rpcUrls: ['http://127.0.0.1:9'], log: silentLog, clock: systemClock })
  const blocks: EvmBlock[] = [blockOf(0, [])]
  const supplied = new Map<string, bigint>()
  const suppliedBy = (owner: string) => supplied.get(owner) ?? 0n
  const latest = () => blocks.at(-1)!
  let final = latest()
  const chain: MemoryChain = {
    ...real,
    allowance: 0n,
    supplied,
    heads: async () => ({ latest: latest(), final }),
    genesisHash: async () => blocks[0]!.hash,
    block: async (number) => blocks[number],
    header: async (number) => blocks[number],
    balances: async (asked) => asked.map(({ owner }) => WALLET_BALANCE - suppliedBy(owner)),
    multicall: async (calls) =>
      calls.map(({ functionName, args }) => {
        if (functionName === 'allowance') return chain.allowance
        if (functionName === 'balanceOf') return suppliedBy(String(args?.[0]))
        if (functionName === 'maxRedeem') return suppliedBy(String(args?.[0]))
        if (functionName === 'maxDeposit') return 2n ** 255n
        if (functionName === 'previewDeposit' || functionName === 'previewWithdraw')
          return (BigInt(args![0] as bigint) * PRICE_SCALE) / SHARE_PRICE
        return functionName === 'convertToAssets' ? SHARE_PRICE : 0n
      }),
    multicallAtTime: async (calls) => calls.map(() => SHARE_PRICE),
    contractCode: undefined,
    senderState: async () => ({
      family: 'evm',
      nonces: { pending: USED_NONCES, latest: USED_NONCES, block: 0 },
      native: 10n ** 20n,
      baseFeePerGas: 10n ** 8n,
      maxFeePerGas: 10n ** 9n,
      maxPriorityFeePerGas: 10n ** 8n,
    }),
    simulate: async (_from, calls) => ({ ok: true, gas: calls.map(() => 100_000n) }),
    findTransactions: async (hashes) => hashes.map(() => undefined),
    finalNonces: async (addresses) => addresses.map(() => USED_NONCES),
    append(transactions) {
      chain.appendHead(transactions)
      chain.finalize()
    },
    appendHead(transactions) {
      blocks.push(blockOf(blocks.length, transactions))
    },
    finalize() {
      final = latest()
    },
  }
  return chain
}

function blockOf(number: number, transactions: readonly Omit<EvmIncludedTransaction, 'blockNumber'>[]): EvmBlock {
  return {
    number,
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    time: new Date(Date.UTC(2026, 0, 1) + number * 1_000),
    transactions: transactions.map((transaction) => ({ ...transaction, blockNumber: number })),
  }
}

const hashOf = (number: number) => `0x${(number + 1).toString(16).padStart(64, '0')}`
