import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EvmChain as Devnet, type EvmBlockchain, startEvmChain } from '@weir/devnet'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  type Call,
  createEvmChain,
  type EvmCall,
  type EvmChain,
  type EvmIncludedTransaction,
  evmCall,
  networkFromDeployment,
  signPayment,
} from '../../src/chains/index.ts'
import { silentLog, systemClock } from '../../src/kernel/index.ts'
import { type PlanStep, type Strategy, seedsFromDeployment } from '../../src/venues/index.ts'
import { until } from '../until.ts'

/** For tests: a real chain with its real markets, and wallets that plan and sign there. */
export interface Market {
  readonly devnet: Devnet
  readonly chain: EvmChain
  /** HTTP requests to the node so far. */
  requests(): number
  strategy(key: string): Strategy
  /** A new wallet with native coins and `amount` of a token. */
  wallet(strategy: Strategy, amount: bigint): Promise<Hex>
  /** Signs and sends calls one after the other. Returns the included transactions, which must have succeeded. */
  send(key: Hex, calls: readonly Call[]): Promise<EvmIncludedTransaction[]>
  stop(): Promise<void>
}

export const addressOf = (key: Hex): string => privateKeyToAccount(key).address
export const callsOf = (steps: readonly PlanStep[]): EvmCall[] => steps.map(({ call }) => evmCall(call))
export const kindsOf = (steps: readonly PlanStep[]): string[] => steps.map(({ kind }) => kind)

export async function startMarket(blockchain: EvmBlockchain): Promise<Market> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-venues-'))
  const devnet = await startEvmChain({ blockchain, dataDir, heartbeatSeconds: 0 })
  let requests = 0
  const chain = createEvmChain({
    network: networkFromDeployment(devnet.deployment),
    rpcUrls: [devnet.url],
    log: silentLog,
    clock: systemClock,
    onRequest: () => {
      requests += 1
    },
  })
  const strategies = strategiesOf(devnet)

  async function included(hash: string): Promise<EvmIncludedTransaction> {
    let found: EvmIncludedTransaction | undefined
    await until(async () => {
      const [lookup] = await chain.findTransactions([hash])
      if (lookup?.blockNumber === undefined) return false
      const block = await chain.block(lookup.blockNumber)
      found = block?.transactions.find((transaction) => transaction.hash === hash)
      return found !== undefined
    })
    if (!found?.succeeded) throw new Error(`transaction ${hash} failed`)
    return found
  }

  async function send(key: Hex, calls: readonly Call[]): Promise<EvmIncludedTransaction[]> {
    const signer = privateKeyToAccount(key)
    const done: EvmIncludedTransaction[] = []
    for (const call of calls.map(evmCall)) {
      const simulated = await chain.simulate(signer.address, [call])
      if (!simulated.ok) throw new Error(`the call would fail: ${simulated.reason}`)
      const facts = await chain.senderState(signer.address)
      const raw = await signer.signTransaction({
        type: 'eip1559',
        chainId: devnet.chainId,
        nonce: facts.nonces.pending,
        gas: simulated.gas[0]!,
        maxFeePerGas: facts.maxFeePerGas,
        maxPriorityFeePerGas: facts.maxPriorityFeePerGas,
        to: call.to as Hex,
        data: call.data as Hex,
        value: call.value,
      })
      const { hash } = await chain.checkSigned(raw, { sender: signer.address, call, nonce: facts.nonces.pending })
      await chain.broadcast(raw)
      done.push(await included(hash))
    }
    return done
  }

  async function pay(token: string, to: string, amount: bigint): Promise<void> {
    const { treasury } = devnet.deployment
    const facts = await chain.senderState(treasury.address)
    const slot = { key: treasury.privateKey, chainId: devnet.chainId, nonce: facts.nonces.pending, ...feesOf(facts) }
    const { raw, hash } = await signPayment(slot, { token, to, amount })
    await chain.broadcast(raw)
    await included(hash)
  }

  return {
    devnet,
    chain,
    requests: () => requests,
    strategy(key) {
      const found = strategies.find((strategy) => strategy.key === key)
      if (!found) throw new Error(`there is no ${key}`)
      return found
    },
    async wallet(strategy, amount) {
      const key = generatePrivateKey()
      await pay('native', addressOf(key), 10n ** 19n)
      if (amount > 0n) await pay(strategy.tokenAddress, addressOf(key), amount)
      return key
    },
    send,
    async stop() {
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const feesOf = ({ maxFeePerGas, maxPriorityFeePerGas }: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }) => ({
  maxFeePerGas,
  maxPriorityFeePerGas,
})

/** The strategies as a catalogue has them before its first reading. */
function strategiesOf(devnet: Devnet): Strategy[] {
  return seedsFromDeployment(devnet.deployment)
    .flatMap((venue) => venue.strategies.map((seed) => ({ venue, seed })))
    .map(({ venue, seed }, i) => ({
      ...seed,
      id: i + 1,
      venueId: 1,
      venueName: venue.name,
      protocol: venue.protocol,
      blockchain: venue.blockchain,
      listingSource: null,
      apy: 0,
      tvl: null,
      liquidity: null,
      price: null,
      deposits: null,
      withdrawals: null,
      timelockSeconds: null,
      shortfall: null,
      entryFeeBps: null,
      exitFeeBps: null,
      rewardToken: null,
    }))
}
