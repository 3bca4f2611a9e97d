import { OUTAGE_CAUSES_MAX, OUTAGE_FORGOTTEN_MS, OUTAGES_REMEMBERED_MAX } from './limits.ts'
import type { Log } from './log.ts'

type Facts = Readonly<Record<string, unknown>>
type OutageSink = Pick<Log, 'error' | 'info' | 'warn'>

/** Logs the start of an outage once, and its end once with the number of failures and its length. */
export interface OutageLog {
  /** One more failed attempt; only the first is logged. */
  failed(facts: Facts): void
  /** An attempt succeeded; logged if one had failed. */
  recovered(facts?: Facts): void
}

/** The same for many parts, such as wallets or webhooks, each by itself. */
export interface OutageLogs {
  /**
   * One more failed attempt at a part, which `part` names. Logged the first time, and again for each other cause (an
   * error's name and text, or a `reason`) within the outage, up to a limit.
   */
  failed(part: Facts, why?: Facts): void
  /** An attempt at it succeeded; logged if one had failed. */
  recovered(part: Facts): void
  /** Attempts at all parts but these succeeded. */
  recoveredExcept(parts: readonly Facts[]): void
  /** Whether its last attempt failed. */
  isOut(part: Facts): boolean
}

export interface OutageSentences {
  readonly away: string
  /** Undefined where the end cannot be known here: it is not logged. */
  readonly back?: string
  /** The level of the first line; the last one is `info`. */
  readonly level?: 'error' | 'info' | 'warn'
}

interface Outage {
  readonly part: Facts
  readonly since: number
  readonly causes: Set<string>
  failures: number
  lastAt: number
}

export function createOutageLog(
  log: OutageSink,
  { away, back, level = 'warn' }: Required<Pick<OutageSentences, 'back'>> & OutageSentences,
): OutageLog {
  let failures = 0
  let since = 0
  return {
    failed(facts) {
      failures += 1
      if (failures > 1) return
      since = performance.now()
      log[level](facts, away)
    },
    recovered(facts = {}) {
      if (failures === 0) return
      log.info({ ...facts, failures, seconds: secondsSince(since) }, back)
      failures = 0
    },
  }
}

export function createOutageLogs(log: OutageSink, { away, back, level = 'warn' }: OutageSentences): OutageLogs {
  const outages = new Map<string, Outage>()

  /** Of too many at once, only the first are logged: a common cause must not fill the log. */
  function begin(part: Facts): Outage | undefined {
    const now = performance.now()
    const [longestQuiet] = outages
    if (longestQuiet && outages.size >= OUTAGES_REMEMBERED_MAX) {
      if (now - longestQuiet[1].lastAt < OUTAGE_FORGOTTEN_MS) return undefined
      outages.delete(longestQuiet[0])
    }
    return { part, since: now, causes: new Set(), failures: 0, lastAt: now }
  }

  function end(key: string, { part, failures, since }: Outage): void {
    outages.delete(key)
    if (back !== undefined) log.info({ ...part, failures, seconds: secondsSince(since) }, back)
  }

  return {
    failed(part, why = {}) {
      const key = keyOf(part)
      const outage = outages.get(key) ?? begin(part)
      if (!outage) return
      // Kept in the order of their last failures.
      outages.delete(key)
      outages.set(key, outage)
      outage.failures += 1
      outage.lastAt = performance.now()
      const cause = causeOf(why)
      if (outage.causes.has(cause) || outage.causes.size >= OUTAGE_CAUSES_MAX) return
      outage.causes.add(cause)
      log[level]({ ...part, ...why }, away)
    },
    recovered(part) {
      const key = keyOf(part)
      const outage = outages.get(key)
      if (outage) end(key, outage)
    },
    recoveredExcept(parts) {
      const failing = new Set(parts.map(keyOf))
      for (const [key, outage] of outages) if (!failing.has(key)) end(key, outage)
    },
    isOut: (part) => outages.has(keyOf(part)),
  }
}

/**
 * For verbs, which remember nothing: the outages of one owner, such as the log of a process or a chain, for as long as
 * it lives.
 */
export function outageLogsBy(sentences: OutageSentences): (owner: object, log: OutageSink) => OutageLogs {
  const kept = new WeakMap<object, OutageLogs>()
  return (owner, log) => {
    const logs = kept.get(owner) ?? createOutageLogs(log, sentences)
    kept.set(owner, logs)
    return logs
  }
}

const keyOf = (part: Facts): string => JSON.stringify(part)

function causeOf({ err, reason, code }: Facts): string {
  if (!(err instanceof Error)) return String(err ?? reason ?? code ?? '')
  const own = `${err.name} ${err.message}`
  return err.cause === undefined ? own : `${own}: ${causeOf({ err: err.cause })}`
}

const secondsSince = (since: number): number => Math.round((performance.now() - since) / 1_000)
