import type { FaultOrder, SolanaFault, Strike } from './faults.ts'
import type { Pace } from './pace.ts'
import { INVALID_PARAMS, RpcError } from './rpc/json.ts'
import type { Node } from './rpc/method.ts'
import type { Block } from './store.ts'

/**
 * What the process that started the chain may do with it, and nobody else: by name, its arguments and its answer.
 * It is served on a path of its own, to whoever knows the secret.
 */
export type Control = {
  status(): ChainStatus
  /** Whole seconds forward, and a block at the new time. */
  increaseTime(seconds: number): BlockTime
  /** A block at this time (unix seconds) exactly; the clock goes on from there. */
  setTime(time: number): BlockTime
  mine(blocks: number, skipSlots: number): BlockTime
  pause(): null
  resume(): null
  setFault(order: FaultOrder): null
  injectFault(signature: string, strike: Strike): null
  faultsLeft(fault: SolanaFault): number
}

export type ChainStatus = {
  readonly isNew: boolean
  readonly genesisHash: string
  /** What stands on the chain, as `layoutFromJson` reads it. */
  readonly layout: string
  /** What the one who starts the chain should be told. */
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

export function createControl({ ledger, faults }: Node, pace: Pace, opened: Omit<ChainStatus, 'genesisHash'>): Control {
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
      pace.pause()
      return null
    },
    resume() {
      pace.resume()
      return null
    },
    setFault(order) {
      faults.set(order)
      return null
    },
    injectFault(signature, strike) {
      faults.injectFault(signature, strike)
      return null
    },
    faultsLeft: (fault) => faults.left(fault),
  }
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RpcError(INVALID_PARAMS, `${value} is no whole number`)
  return value
}

function blockTime({ slot, height, time }: Block): BlockTime {
  return { number: slot, height, timestamp: time }
}
