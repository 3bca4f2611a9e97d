import type { Faults } from '../faults.ts'
import type { Ledger } from '../ledger.ts'
import type { Params } from './params.ts'

/** The chain that the methods read and write. */
export type Node = {
  readonly ledger: Ledger
  readonly faults: Faults
  /** Call when a transaction waits for a block. */
  readonly nudge: () => void
}

/** One JSON-RPC method: returns its `result` or throws an RpcError. */
export type Method = (params: Params, node: Node) => unknown

export type Methods = Readonly<Record<string, Method>>

/** Wraps a value as of the newest block. */
export function inContext(ledger: Ledger, value: unknown) {
  return { context: { apiVersion: API_VERSION, slot: ledger.head().slot }, value }
}

export const API_VERSION = '3.0.0'
