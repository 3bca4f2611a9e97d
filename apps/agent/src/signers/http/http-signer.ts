import { boundedText } from '../../bounded-body.ts'
import type { Clock } from '../../clock.ts'
import { type Signer, SignerRefused, SignerUnavailable } from '../port.ts'
import { hmac, sameSignature } from './authenticate.ts'

/** A signature, an address or a sentence. */
const MAX_RESPONSE_BYTES = 65_536
const TIMEOUT_MS = 15_000
/** The interval between retries while a person decides. */
const RETRY_MS = 1_000

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A signer behind HTTP, by the protocol of docs/signers.md: `/keys/find`, `/keys` and `/sign`, each with an HMAC. */
export function createHttpSigner(at: { readonly url: string; readonly secret: string; readonly clock: Clock }): Signer {
  const { url, secret, clock } = at
  const root = new URL(url).pathname.replace(/\/+$/, '')

  async function ask(path: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
    const text = JSON.stringify(body)
    const timestamp = String(Math.floor(clock.now().getTime() / 1_000))
    const signature = hmac(secret, `POST ${root}${path}`, timestamp, text)
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    let response: Response
    let answer: string
    try {
      response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-weir-timestamp': timestamp, 'x-weir-signature': signature },
        body: text,
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      answer = await boundedText(response, MAX_RESPONSE_BYTES)
    } catch (error) {
      throw new SignerUnavailable(`the signer does not respond: ${(error as Error).message}`)
    }
    const expected = hmac(secret, String(response.status), signature, answer)
    if (!sameSignature(response.headers.get('x-weir-signature') ?? '', expected)) {
      throw new SignerUnavailable(
        `the program that responded with ${response.status} at SIGNER_URL does not know SIGNER_SECRET`,
      )
    }
    return { status: response.status, body: JSON.parse(answer) as Answer['body'] }
  }

  /** An unexpected response that is not a clear refusal is retried. */
  function fail({ status, body }: Answer): never {
    const said = typeof body.error === 'string' ? body.error : `status ${status}`
    if (status === 403 || status === 404 || status === 422) throw new SignerRefused(`the signer refused: ${said}`)
    throw new SignerUnavailable(`the signer cannot sign now: ${said}`)
  }

  return {
    kind: 'http',
    async holds(address) {
      const answer = await ask('/keys/find', { address })
      return answer.status === 200 ? answer.body.found === true : fail(answer)
    },
    async prove(request) {
      const answer = await ask('/keys/prove', request)
      return answer.status === 200 ? Buffer.from(String(answer.body.signature), 'base64') : fail(answer)
    },
    async sign({ payload, ...request }, signal) {
      const body = { ...request, payload: Buffer.from(payload).toString('base64') }
      for (;;) {
        const answer = await ask('/sign', body, signal)
        if (answer.status === 200) return Buffer.from(String(answer.body.signature), 'base64')
        if (answer.status !== 202) fail(answer)
        await clock.sleep(RETRY_MS, signal)
        if (signal.aborted) throw new SignerUnavailable('the signer had not decided when the lease ended')
      }
    },
    async createKey(request) {
      const answer = await ask('/keys', request)
      const { address, keyId } = answer.body
      if (answer.status !== 200 || typeof address !== 'string' || typeof keyId !== 'string') fail(answer)
      return { address, keyId }
    },
  }
}
