import { Counter, type Registry } from 'prom-client'
import type { UnreadableValues } from '../../../kernel/index.ts'

/** Counts stored values that do not open, each once in a process. */
export function countUnreadable(unreadable: UnreadableValues, registry: Registry): UnreadableValues {
  new Counter({
    name: 'weir_unreadable_values_total',
    help: 'Stored values of lists that this process could not decrypt, each counted once: `damaged`, or `no_key`.',
    labelNames: ['reason'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [reason, values] of unreadable.found) this.inc({ reason }, values)
    },
  })
  return unreadable
}
