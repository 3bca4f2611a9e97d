import type { Database } from '../database/index.ts'
import { type Clock, EVALUATION_CLAIM_RENEWAL_MS, EVALUATION_HUNG_MS } from '../kernel/index.ts'
import { type EvaluationClaim, renewClaims } from '../wallets/index.ts'

/** The claims of a page while it is evaluated. */
export interface KeptClaims {
  /** Those that nobody ended yet. */
  left(): EvaluationClaim[]
  /** Stops renewing these: their results are stored next. */
  end(claims: readonly EvaluationClaim[]): void
  /** Renews nothing more. */
  stop(): void
}

/**
 * Renews claims every five seconds, so that a page may take longer than a claim, which is short: it delays the wallets of
 * a process that died or froze. A page that is evaluated sooner costs no statement. Without any result for a minute, the
 * claims lapse although this process lives.
 */
export function keepClaims(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  claims: readonly EvaluationClaim[],
  renewalMs: number = EVALUATION_CLAIM_RENEWAL_MS,
): KeptClaims {
  const kept = new Set(claims)
  let progressedAt = clock.now()
  let isRenewing = false
  const timer = setInterval(() => void renew(), renewalMs)

  async function renew(): Promise<void> {
    const now = clock.now()
    if (isRenewing || now.getTime() - progressedAt.getTime() >= EVALUATION_HUNG_MS) return
    isRenewing = true
    // What fails here fails the evaluation too, which says so; until then the claims last.
    await renewClaims(db, [...kept], now).catch(() => undefined)
    isRenewing = false
  }

  return {
    left: () => [...kept],
    end(ended) {
      for (const claim of ended) kept.delete(claim)
      progressedAt = clock.now()
    },
    stop: () => clearInterval(timer),
  }
}
