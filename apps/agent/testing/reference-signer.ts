import { createHmac } from 'node:crypto'
import { keccak256 } from 'viem'
import { addressOf, newSecret, signWith } from '../src/signers/keystore/keys.ts'
import { type FakeServer, startFakeServer } from './fake-server.ts'

/** The requests that the reference signer received, and how it responds. */
export interface ReferenceSigner extends FakeServer {
  readonly requests: { readonly path: string; readonly body: Record<string, unknown> }[]
  /** How many `/sign` requests get a 202 before the signature. */
  undecided: number
  /** If set, every response is this one. */
  always: { readonly status: number; readonly body: object } | undefined
  /** Its responses are signed with this secret. */
  secret: string
}

/**
 * A signer that follows docs/signers.md, with keys in memory. Its checks are written from that document and share no
 * code with the agent.
 */
export async function startReferenceSigner(secret: string, root = ''): Promise<ReferenceSigner> {
  const keys = new Map<string, { family: 'evm' | 'svm'; secret: Uint8Array }>()
  const byReference = new Map<string, string>()
  const sign = (key: string, ...lines: string[]) =>
    `v1=${createHmac('sha256', key).update(lines.join('\n')).digest('hex')}`

  const server = await startFakeServer(async (request, text) => {
    const timestamp = String(request.headers['x-weir-timestamp'])
    const signature = String(request.headers['x-weir-signature'])
    const fresh = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300
    const genuine = fresh && signature === sign(secret, `${request.method} ${request.url}`, timestamp, text)
    const { status, body } = genuine
      ? await answer(request.url!.slice(root.length), JSON.parse(text))
      : { status: 401, body: {} }
    const json = JSON.stringify(body)
    return { status, body: json, headers: { 'x-weir-signature': sign(signer.secret, String(status), signature, json) } }
  })

  async function answer(path: string, body: Record<string, string>): Promise<{ status: number; body: object }> {
    signer.requests.push({ path, body })
    if (signer.always) return signer.always
    const key = keys.get(body.address ?? '')
    if (path === '/keys/find') return { status: 200, body: { found: key !== undefined } }
    if (path === '/keys') return { status: 200, body: create(body) }
    if (path === '/keys/prove') {
      if (key === undefined) return { status: 404, body: { error: 'no such key' } }
      const text = Buffer.from(body.challenge!)
      const prefixed = Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text])
      const signature = await signWith(
        key.family,
        key.secret,
        key.family === 'svm' ? text : keccak256(prefixed, 'bytes'),
      )
      return { status: 200, body: { signature: Buffer.from(signature).toString('base64') } }
    }
    if (path !== '/sign') return { status: 404, body: { error: 'no such path' } }
    if (key === undefined) return { status: 404, body: { error: 'no such key' } }
    if (signer.undecided > 0) {
      signer.undecided -= 1
      return { status: 202, body: {} }
    }
    const signature = await signWith(key.family, key.secret, Buffer.from(body.payload!, 'base64'))
    return { status: 200, body: { signature: Buffer.from(signature).toString('base64') } }
  }

  function create({ family, reference }: Record<string, string>): object {
    const made = byReference.get(reference!)
    if (made !== undefined) return { address: made, keyId: `key of ${made}` }
    const kind = family === 'svm' ? 'svm' : 'evm'
    const key = newSecret(kind)
    const address = addressOf(kind, key)
    keys.set(address, { family: kind, secret: key })
    byReference.set(reference!, address)
    return { address, keyId: `key of ${address}` }
  }

  const signer: ReferenceSigner = {
    ...server,
    url: server.url + root,
    requests: [],
    undecided: 0,
    always: undefined,
    secret,
  }
  return signer
}
