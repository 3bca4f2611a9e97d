import { UNREADABLE_VALUES_REMEMBERED_MAX } from './limits.ts'
import type { Log } from './log.ts'
import { MissingKeyError, type Sealer } from './seal.ts'

/** What readers see in place of a text that does not open. */
export const UNREADABLE = '[unreadable]'

/** Why a stored value does not open here. */
export type UnreadableReason = 'damaged' | 'no_key'

/** Learns of stored values that do not open. */
export interface UnreadableValues {
  /** `label` names the value and its row, as in {@link Sealer}. */
  report(label: string, error: unknown): void
  /** How many this process found, by reason. */
  readonly found: ReadonlyMap<UnreadableReason, number>
}

/** Logs and counts each value once, however often it is read. */
export function recordUnreadable(log: Pick<Log, 'error'>): UnreadableValues {
  const known = new Set<string>()
  const found = new Map<UnreadableReason, number>([
    ['damaged', 0],
    ['no_key', 0],
  ])
  return {
    found,
    report(label, error) {
      if (known.has(label)) return
      const oldest = known.values().next().value
      if (known.size >= UNREADABLE_VALUES_REMEMBERED_MAX && oldest !== undefined) known.delete(oldest)
      known.add(label)
      const reason = error instanceof MissingKeyError ? 'no_key' : 'damaged'
      found.set(reason, (found.get(reason) ?? 0) + 1)
      log.error({ err: error, value: label, reason }, 'failed to decrypt a stored value')
    },
  }
}

/** A decorator: reports what does not open, and throws as before. */
export function reportingSealer(sealer: Sealer, unreadable: Pick<UnreadableValues, 'report'> | undefined): Sealer {
  if (unreadable === undefined) return sealer
  return {
    seal: (text, label) => sealer.seal(text, label),
    open(sealed, label) {
      try {
        return sealer.open(sealed, label)
      } catch (error) {
        unreadable.report(label, error)
        throw error
      }
    },
  }
}

/** For a reader whom one damaged value must not keep from the others: `undefined` if it does not open. */
export function openIfReadable(sealer: Sealer, sealed: Uint8Array, label: string): string | undefined {
  try {
    return sealer.open(sealed, label)
  } catch {
    return undefined
  }
}
