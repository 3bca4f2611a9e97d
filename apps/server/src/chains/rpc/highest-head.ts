import { type Clock, HEAD_EXPIRES_AFTER_MS, havePassed } from '../../kernel/index.ts'
import type { BlockRef } from '../port/blocks.ts'

/**
 * Remembers the highest head that nodes reported, because one that reports a lower head lags behind. At the same height
 * the newer response counts. A head that no response reached for five minutes was false, or its fork is gone: then the
 * reported one counts, so one false response does not stop the process from following until it restarts.
 */
export function createHighestHead<Head extends BlockRef>(clock: Clock) {
  let highest: Head | undefined
  let reachedAt: Date | undefined
  const isExpired = () => havePassed(HEAD_EXPIRES_AFTER_MS, reachedAt, clock.now())
  return {
    /** The highest head, after this response. */
    report(head: Head): Head {
      if (highest !== undefined && head.number < highest.number && !isExpired()) return highest
      highest = head
      reachedAt = clock.now()
      return head
    },
    /** A node reported a head of this number. The remembered head, if it is as high and still counts. */
    atLeast(number: number): Head | undefined {
      if (highest === undefined || highest.number < number) return undefined
      if (highest.number === number) reachedAt = clock.now()
      else if (isExpired()) return undefined
      return highest
    },
    last: () => highest,
  }
}
