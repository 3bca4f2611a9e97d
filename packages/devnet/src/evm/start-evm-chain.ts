import { resolve } from 'node:path'
import type { Hash } from 'viem'
import { type StrategyState, type StrategyStateChange, strategyStates } from '../strategy-state.ts'
import type { Exit } from '../watchdog.ts'
import { type BlockTime, increaseTime, keepClockForward, mine, setNextBlockTimestamp } from './chain-clock.ts'
import { CHAIN_DESIGNS, type EvmBlockchain } from './chains.ts'
import { deployMissing, isDeployed } from './deploy.ts'
import type { EvmDeployment } from './deployment.ts'
import { startHeartbeat } from './heartbeat.ts'
import { MULTICALL3 } from './multicall3.ts'
import { type DeploymentPlan, planDeployment } from './plan-deployment.ts'
import type { Rpc } from './rpc.ts'
import { type Anvil, type AnvilOptions, quarantineState, startAnvil } from './start-anvil.ts'
import { strategyControls } from './strategy-controls.ts'

export type EvmChainOptions = {
  readonly blockchain: EvmBlockchain
  /** The service's data folder; chains use `<dataDir>/chains`. */
  readonly dataDir: string
  /** Seconds between two empty blocks; 0: none. Default 12. */
  readonly heartbeatSeconds?: number
  /** Seconds between two saves of the running chain; a clean exit always saves. Default 30. */
  readonly saveEverySeconds?: number
  /** Default 20,000. */
  readonly startTimeoutMs?: number
  /** An anvil program to use instead of the npm package's. */
  readonly anvilPath?: string
  readonly log?: (line: string) => void
  /** Called once if the chain's process exits without stop(). */
  readonly onExit?: (blockchain: EvmBlockchain, exit: Exit) => void
}

export type EvmChain = {
  readonly blockchain: EvmBlockchain
  readonly chainId: number
  readonly url: string
  /** True when this start found no saved chain (or none that it could use). */
  readonly isNew: boolean
  readonly deployment: EvmDeployment
  /** Moves time forward by whole seconds and mines a block; the heartbeat does not interfere. */
  increaseTime(seconds: number): Promise<BlockTime>
  mine(blocks: number): Promise<BlockTime>
  /** Pause the heartbeat first, or a beat may mine the next block. */
  setNextBlockTimestamp(timestamp: number): Promise<void>
  /**
   * Puts a venue into another state, for everyone on this chain, and returns its state afterwards. Changes happen one
   * after another. Throws StateNotSupported and VenueRefused.
   */
  setStrategyState(key: string, change: StrategyStateChange): Promise<StrategyState>
  /** Throws StateNotSupported for a strategy whose state never changes. */
  strategyState(key: string): Promise<StrategyState>
  pauseHeartbeat(): Promise<void>
  resumeHeartbeat(): void
  /** Saves the state and ends the process. A second call waits for the first. */
  stop(): Promise<void>
}

/**
 * Starts one embedded chain: its process, its clock, and on a new chain the tokens, Aave market and
 * vaults. A saved chain resumes where it stopped; a half-deployed one is completed; an unusable one is
 * quarantined and replaced (see `isNew`, `deployment.genesisHash`).
 */
export async function startEvmChain(options: EvmChainOptions): Promise<EvmChain> {
  const design = CHAIN_DESIGNS[options.blockchain]
  const plan = planDeployment(design)
  const log = options.log ?? (() => {})
  const anvilOptions: AnvilOptions = {
    name: options.blockchain,
    chainId: design.chainId,
    directory: resolve(options.dataDir, 'chains'),
    saveEverySeconds: options.saveEverySeconds ?? 30,
    startTimeoutMs: options.startTimeoutMs ?? 20_000,
    log,
    ...(options.anvilPath === undefined ? {} : { anvilPath: options.anvilPath }),
  }
  const { anvil, isNew } = await startDeployed(anvilOptions, plan)
  const { rpc } = anvil
  const genesisHash = await hashOfGenesis(rpc)
  const heartbeat = startHeartbeat(rpc, options.heartbeatSeconds ?? 12, log)

  const states = strategyStates(strategyControls(rpc, plan))

  let stopping: Promise<void> | null = null
  void anvil.exited.then(async (exit) => {
    if (stopping !== null) return
    await heartbeat.stop()
    options.onExit?.(options.blockchain, exit)
  })

  async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    await heartbeat.pause()
    try {
      return await work()
    } finally {
      heartbeat.resume()
    }
  }

  return {
    blockchain: options.blockchain,
    chainId: design.chainId,
    url: rpc.url,
    isNew,
    deployment: {
      blockchain: options.blockchain,
      chainId: design.chainId,
      url: rpc.url,
      genesisHash,
      multicall3: MULTICALL3,
      tokens: plan.tokens,
      strategies: plan.strategies,
      treasury: plan.accounts.treasury,
      lender: plan.accounts.lender.address,
      borrower: plan.accounts.borrower.address,
    },
    increaseTime: (seconds) => alone(() => increaseTime(rpc, seconds)),
    mine: (blocks) => alone(() => mine(rpc, blocks)),
    setNextBlockTimestamp: (timestamp) => setNextBlockTimestamp(rpc, timestamp),
    ...states,
    pauseHeartbeat: heartbeat.pause,
    resumeHeartbeat: heartbeat.resume,
    stop() {
      stopping ??= heartbeat.stop().then(async () => {
        await anvil.stop()
      })
      return stopping
    },
  }
}

/** Starts the process and deploys what the plan misses; a saved chain that does not fit is replaced once. */
async function startDeployed(
  options: AnvilOptions,
  plan: DeploymentPlan,
): Promise<{ readonly anvil: Anvil; readonly isNew: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const anvil = await startAnvil(options)
    try {
      await keepClockForward(anvil.rpc)
      const isNew = Number(await anvil.rpc.call('eth_blockNumber')) === 0
      const problem = await deployPlan(anvil.rpc, plan)
      if (problem === null) return { anvil, isNew }
      if (isNew || attempt > 1) throw problem
      await anvil.stop()
      quarantineState(options, `does not fit this release (${problem.message})`)
    } catch (error) {
      await anvil.stop()
      throw error
    }
  }
}

/** Null when the chain now matches the plan, else what is wrong with it. */
async function deployPlan(rpc: Rpc, plan: DeploymentPlan): Promise<Error | null> {
  try {
    await deployMissing(rpc, plan)
    return (await isDeployed(rpc, plan)) ? null : new Error('it carries another deployment')
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/**
 * Read from the parent hash of block 1. At each start anvil makes another block 0 and saves both; which one it
 * later returns as block 0 is random.
 */
async function hashOfGenesis(rpc: Rpc): Promise<Hash> {
  const first = await rpc.call<{ readonly parentHash: Hash }>('eth_getBlockByNumber', ['0x1', false])
  return first.parentHash
}
