import { type StrategyControls, strategyStates } from '../strategy-state.ts'
import type { BlockProducer } from './block-producer.ts'
import type { FaultOrder, SolanaFault, TransactionFault } from './faults.ts'
import { INVALID_PARAMS, RpcError } from './rpc/json.ts'
import type { Node } from './rpc/method.ts'
import { answerState, changeFromJson, type StateAnswer } from './state-answer.ts'
import type { Block } from './store.ts'

/**
 * Commands reserved for the process that started the chain: name, arguments and result of each. They have a
 * path of their own and require the secret.
 */
export type Control = {
  status(): ChainStatus
  /** Moves time forward by whole seconds and makes a block at the new time. */
  increaseTime(seconds: number): BlockTime
  /** Makes a block at exactly this time (Unix seconds); the clock continues from there. */
  setTime(time: number): BlockTime
  mine(blocks: number, skipSlots: number): BlockTime
  pause(): null
  resume(): null
  setFault(order: FaultOrder): null
  injectFault(signature: string, fault: TransactionFault): null
  faultsLeft(fault: SolanaFault): number
  /** Both as `stateToJson` writes it, or the name of the error: `changeToJson` writes the change. */
  strategyState(key: string): Promise<StateAnswer>
  setStrategyState(key: string, change: string): Promise<StateAnswer>
}

export type ChainStatus = {
  readonly isNew: boolean
  readonly genesisHash: string
  /** The chain's layout, as `layoutFromJson` reads it. */
  readonly layout: string
  /** Notes for the process that starts the chain. */
  readonly notes: readonly string[]
}

export type BlockTime = {
  /** The slot. */
  readonly number: number
  readonly height: number
  /** Unix seconds. */
  readonly timestamp: number
}

const MAX_BLOCKS = 100_000

type Opened = Omit<ChainStatus, 'genesisHash'> & { readonly controls: ReadonlyMap<string, StrategyControls> }

export function createControl(
  { ledger, faults }: Node,
  producer: BlockProducer,
  { controls, ...opened }: Opened,
): Control {
  const states = strategyStates(controls)

  function setTime(time: number): BlockTime {
    ledger.setTime(whole(time))
    return blockTime(ledger.produce())
  }
  return {
    status: () => ({ ...opened, genesisHash: ledger.genesisHash }),
    increaseTime: (seconds) => setTime(ledger.time() + whole(seconds)),
    setTime,
    mine(blocks, skipSlots) {
      if (whole(blocks) < 1 || blocks > MAX_BLOCKS) throw new RpcError(INVALID_PARAMS, 'how many blocks?')
      let block = ledger.produce(whole(skipSlots))
      for (let made = 1; made < blocks; made++) block = ledger.produce()
      return blockTime(block)
    },
    pause() {
      producer.pause()
      return null
    },
    resume() {
      producer.resume()
      return null
    },
    setFault(order) {
      faults.set(order)
      return null
    },
    injectFault(signature, fault) {
      faults.injectFault(signature, fault)
      return null
    },
    faultsLeft: (fault) => faults.left(fault),
    strategyState: (key) => answerState(() => states.strategyState(key)),
    setStrategyState: (key, change) => answerState(() => states.setStrategyState(key, changeFromJson(change))),
  }
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RpcError(INVALID_PARAMS, `${value} is not a whole number`)
  return value
}

function blockTime({ slot, height, time }: Block): BlockTime {
  return { number: slot, height, timestamp: time }
}
