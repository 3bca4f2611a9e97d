import { deserialize, serialize } from 'node:v8'
import {
  StateNotSupported,
  type StrategyState,
  type StrategyStateChange,
  VenueRefused,
} from '@weir/devnet/strategy-state'
import type { ChainFault, DevHead } from '../../chains/index.ts'
import type { Deployment } from '../control-node.ts'

/** What a process of Weir asks of chains that another process serves. Amounts and times keep their types on the way. */
export interface ChainsControl {
  deployments(): Promise<readonly Deployment[]>
  head(blockchain: string): Promise<DevHead>
  mine(blockchain: string, blocks: number): Promise<DevHead>
  increaseTime(blockchain: string, seconds: number): Promise<DevHead>
  mineAt(blockchain: string, time: Date): Promise<DevHead>
  /** Only while the caller holds the exclusive lock; its release resumes. */
  pauseHeartbeat(blockchain: string): Promise<void>
  setFault(blockchain: string, fault: ChainFault, count: number): Promise<void>
  remainingFaults(blockchain: string, fault: ChainFault): Promise<number>
  strategyState(blockchain: string, key: string): Promise<StrategyState>
  setStrategyState(blockchain: string, key: string, change: StrategyStateChange): Promise<StrategyState>
}

/** Paths below the URL of the chains. All but `rpc` require the secret. */
export const PATHS = {
  control: '/control',
  /** A request that stays open holds the lock of calls that move the clocks. */
  exclusive: '/exclusive',
  /** The service's own requests, through the faults. */
  faulty: '/chain/',
  /** The treasury's requests, which no fault affects. */
  faultFree: '/fault-free/',
  /** Public methods for everyone on this machine. */
  rpc: '/rpc/',
} as const

export const SECRET_HEADER = 'x-weir-chains'
/** The senders of a request's transactions that are registered wallets: only the caller knows them. */
export const REGISTERED_HEADER = 'x-weir-registered'

export type ControlCall = { readonly method: keyof ChainsControl; readonly args: readonly unknown[] }

type ControlOutcome =
  | { readonly result: unknown }
  | { readonly error: string; readonly kind: 'StateNotSupported' | 'VenueRefused' | undefined }

export const encode = (value: ControlCall): Uint8Array<ArrayBuffer> => new Uint8Array(serialize(value))

export const decodeCall = (body: Uint8Array): ControlCall => deserialize(body) as ControlCall

/** Encodes what the work returns or throws. */
export async function encodeOutcome(work: () => Promise<unknown>): Promise<Buffer> {
  try {
    return serialize({ result: await work() } satisfies ControlOutcome)
  } catch (error) {
    const kind =
      error instanceof StateNotSupported
        ? 'StateNotSupported'
        : error instanceof VenueRefused
          ? 'VenueRefused'
          : undefined
    return serialize({ error: error instanceof Error ? error.message : String(error), kind } satisfies ControlOutcome)
  }
}

/** Returns the result, or throws as the other process did. */
export function resultOf(body: Uint8Array): unknown {
  const outcome = deserialize(body) as ControlOutcome
  if ('result' in outcome) return outcome.result
  if (outcome.kind === 'StateNotSupported') throw new StateNotSupported(outcome.error)
  if (outcome.kind === 'VenueRefused') throw new VenueRefused(outcome.error)
  throw new Error(outcome.error)
}
