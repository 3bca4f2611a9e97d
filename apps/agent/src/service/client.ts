import { boundedText } from '../bounded-body.ts'
import { readAction, readTransaction } from './read-work.ts'
import { ServiceError } from './service-error.ts'
import type { ActionReport, AgentAction, AgentTransaction, TransactionReport } from './work.ts'

/** The service over HTTP (spec 4.5). Every method throws {@link ServiceError}. */
export interface Service {
  /** Long-polls for work, for up to `waitMs`. */
  pollTransactions(waitMs: number, signal: AbortSignal): Promise<AgentTransaction | null>
  pollActions(waitMs: number, signal: AbortSignal): Promise<AgentAction | null>
  reportTransaction(id: number, report: TransactionReport, leaseToken: string | undefined): Promise<void>
  reportAction(id: number, report: ActionReport, leaseToken: string | undefined): Promise<void>
  /** What the agent's key may do; `undefined` from services of earlier versions. */
  permissions(): Promise<readonly string[] | undefined>
  /** Extends a lease that is still held. */
  renew(id: number, leaseToken: string | undefined): Promise<void>
}

const TIMEOUT_MS = 15_000
/** A transaction has some kilobytes; with the most signatures of approvers that count, half of this. */
const MAX_RESPONSE_BYTES = 2_097_152

export function createService(at: {
  readonly url: string
  readonly apiKey: string
  readonly leaseMs: number
  /** Reads the key again after a refusal: somebody may have replaced it. */
  readonly freshApiKey?: () => string
}): Service {
  const { url, leaseMs, freshApiKey = () => at.apiKey } = at
  let { apiKey } = at

  async function ask<Data>(path: string, body: unknown, timeouts = 0, signal?: AbortSignal): Promise<Data> {
    const timeout = AbortSignal.timeout(timeouts + TIMEOUT_MS)
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    let response: Response
    let text: string
    try {
      response = await fetch(url + path, {
        method: 'POST',
        headers,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        redirect: 'error',
        body: JSON.stringify(body),
      })
      text = await boundedText(response, MAX_RESPONSE_BYTES)
    } catch (error) {
      throw new ServiceError(0, 'NO_ANSWER', `the service does not respond: ${reasonOf(error)}`)
    }
    const json = parse(text)
    if (response.ok && json !== undefined) return (json.data ?? {}) as Data
    const error = errorOf(response, text, json)
    if (error.isDenied) apiKey = freshApiKey()
    throw error
  }

  const token = (leaseToken: string | undefined) => (leaseToken === undefined ? {} : { leaseToken })
  return {
    async pollTransactions(waitMs, signal) {
      const body = { leaseDurationMs: leaseMs, waitMs }
      const path = '/api/agent/transactions/poll'
      return readTransaction((await ask<{ transaction: unknown }>(path, body, waitMs, signal)).transaction)
    },
    async pollActions(waitMs, signal) {
      const body = { leaseDurationMs: leaseMs, waitMs }
      return readAction((await ask<{ action: unknown }>('/api/agent/actions/poll', body, waitMs, signal)).action)
    },
    async reportTransaction(id, report, leaseToken) {
      await ask(`/api/agent/transactions/${id}/report`, { ...report, ...token(leaseToken) })
    },
    async reportAction(id, report, leaseToken) {
      await ask(`/api/agent/actions/${id}/report`, { ...report, ...token(leaseToken) })
    },
    async permissions() {
      return (await ask<{ permissions?: readonly string[] }>('/api/core/apikeys/validate', {})).permissions
    },
    async renew(id, leaseToken) {
      await ask(`/api/agent/transactions/${id}/renew`, { leaseDurationMs: leaseMs, ...token(leaseToken) })
    },
  }
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Every error of the service has a code. A body without one comes from a proxy in between and proves nothing. */
function errorOf(response: Response, text: string, json: Readonly<Record<string, unknown>> | undefined): ServiceError {
  const { code, message } = json ?? {}
  if (typeof code !== 'string') return new ServiceError(0, 'UNREADABLE', text.slice(0, 200))
  const said = typeof message === 'string' ? message : text.slice(0, 200)
  return new ServiceError(response.status, code, said, retryAfter(response))
}

/** A rate limit's window is a minute; nothing may stop the agent for longer. */
const LONGEST_RETRY_AFTER_MS = 60_000

function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return seconds >= 0 ? Math.min(seconds * 1_000, LONGEST_RETRY_AFTER_MS) : undefined
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
