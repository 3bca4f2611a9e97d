import type { AgentTransaction } from '../service/work.ts'

/**
 * What is being decided about. The journal is read at the start of a decision and written at its end, with many waits in
 * between, so a service that issues the same transaction several times at once must find only one of them decided.
 */
export interface WorkLocks {
  /**
   * Locks a transaction and its operation. Returns how to release both; undefined while another piece of work
   * has one of the two.
   */
  take(transaction: Pick<AgentTransaction, 'id' | 'operationId'>): (() => void) | undefined
}

export function createWorkLocks(): WorkLocks {
  const taken = new Set<string>()
  return {
    take({ id, operationId }) {
      const names = [`transaction ${id}`, `operation ${operationId}`]
      if (names.some((name) => taken.has(name))) return undefined
      for (const name of names) taken.add(name)
      return () => {
        for (const name of names) taken.delete(name)
      }
    },
  }
}
