import type { Wire } from './wire.ts'

/** The faults that can be injected, named as in the sandbox. */
export type SolanaFault = 'rpc_down' | 'drop_next' | 'revert_next' | 'delay_next' | 'simulation_fails'

/** A fault that applies to a transaction when it is accepted. */
export type TransactionFault = 'drop_next' | 'revert_next' | 'delay_next'

export type FaultOrder = {
  readonly fault: SolanaFault
  /** How many times it still applies. Replaces the remaining count of that fault; 0 clears it. */
  readonly count: number
  /** Restricts the fault to transactions that one of these signs. Omit it for `rpc_down`. */
  readonly signers?: readonly string[]
}

export type Faults = {
  set(order: FaultOrder): void
  /** Applies the fault to this transaction when it arrives, regardless of the counts. */
  injectFault(signature: string, fault: TransactionFault): void
  left(fault: SolanaFault): number
  /** Whether this fault applies now; decrements its count. */
  applies(fault: 'rpc_down' | 'simulation_fails', wire?: Wire): boolean
  /** The fault that applies to this transaction, if any; decrements its count. */
  takeTransactionFault(wire: Wire): TransactionFault | null
}

const TRANSACTION_FAULTS: readonly TransactionFault[] = ['drop_next', 'delay_next', 'revert_next']

/** Most faults by signature that can be pending; beyond that, the oldest is dropped. */
const MAX_EXPECTED = 1_000

export function createFaults(): Faults {
  const orders = new Map<SolanaFault, { left: number; signers: ReadonlySet<string> | null }>()
  const expected = new Map<string, TransactionFault>()

  function applies(fault: SolanaFault, wire?: Wire): boolean {
    const order = orders.get(fault)
    if (order === undefined) return false
    const { signers } = order
    if (signers !== null && wire !== undefined && !signersOf(wire).some((signer) => signers.has(signer))) return false
    order.left -= 1
    if (order.left <= 0) orders.delete(fault)
    return true
  }

  return {
    set({ fault, count, signers }) {
      if (count <= 0) orders.delete(fault)
      else orders.set(fault, { left: count, signers: signers === undefined ? null : new Set(signers) })
    },
    injectFault(signature, fault) {
      expected.set(signature, fault)
      const [oldest] = expected.keys()
      if (expected.size > MAX_EXPECTED && oldest !== undefined) expected.delete(oldest)
    },
    left: (fault) => orders.get(fault)?.left ?? 0,
    applies,
    takeTransactionFault(wire) {
      const fault = expected.get(wire.signature)
      expected.delete(wire.signature)
      return fault ?? TRANSACTION_FAULTS.find((candidate) => applies(candidate, wire)) ?? null
    },
  }
}

function signersOf({ transaction }: Wire): string[] {
  return Object.keys(transaction.signatures)
}
