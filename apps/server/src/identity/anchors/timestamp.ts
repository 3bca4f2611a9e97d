import type { TSTInfo } from 'pkijs'
import { type RandomSource, TIMESTAMP_RESPONSE_BYTES_MAX, TIMESTAMP_TIMEOUT_MS } from '../../kernel/index.ts'
import { digestOf } from './anchor.ts'
import type { AnchorPublisher } from './anchor-audit-heads.ts'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const TIME_STAMP_INFO = '1.2.840.113549.1.9.16.1.4'

/** Loaded with the first stamp: few services have their audit log stamped. */
const libraries = async () => ({ asn1js: await import('asn1js'), pkijs: await import('pkijs') })

/** Has each anchor's digest stamped by a time stamp authority (RFC 3161 over HTTP). */
export function timestampAnchors(url: string, random: RandomSource): AnchorPublisher {
  return { name: 'rfc3161', publish: ({ text }) => requestTimestamp(url, text, random) }
}

/** Requests a token over SHA-256 of the text, and checks it before it returns it. Throws if there is none. */
async function requestTimestamp(url: string, text: string, random: RandomSource): Promise<Buffer> {
  // The first bit is 0: the number is positive, and as long as its bytes.
  const nonce = Uint8Array.from(random(16), (byte, at) => (at === 0 ? (byte & 0x3f) | 0x40 : byte))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: await requestBytes(digestOf(text), nonce),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMESTAMP_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`the timestamp authority responded with status ${response.status}`)
  const { pkijs } = await libraries()
  const { status, timeStampToken } = pkijs.TimeStampResp.fromBER(await readBytes(response))
  if (status.status > 1 || timeStampToken === undefined) {
    throw new Error(`the timestamp authority refused: status ${status.status}`)
  }
  const token = Buffer.from(timeStampToken.toSchema().toBER(false))
  const { info } = await openToken(token, text)
  if (info.nonce === undefined || !Buffer.from(info.nonce.valueBlock.valueHexView).equals(Buffer.from(nonce))) {
    throw new Error('the timestamp belongs to another request')
  }
  return token
}

/**
 * The time of a token over this text. Checks the digest and the signature by the certificate in the token; whether that
 * certificate can be trusted is a question for `openssl ts -verify`. Throws if it is not a token over this text.
 */
export async function verifyTimestamp(token: Buffer, text: string): Promise<Date> {
  return (await openToken(token, text)).info.genTime
}

async function openToken(token: Buffer, text: string): Promise<{ readonly info: TSTInfo }> {
  const { pkijs } = await libraries()
  const signed = new pkijs.SignedData({ schema: pkijs.ContentInfo.fromBER(bytesOf(token)).content })
  const content = signed.encapContentInfo.eContent
  if (signed.encapContentInfo.eContentType !== TIME_STAMP_INFO || content === undefined) {
    throw new Error('the response has no timestamp')
  }
  const info = pkijs.TSTInfo.fromBER(content.getValue())
  const { hashAlgorithm, hashedMessage } = info.messageImprint
  const isOurs = Buffer.from(hashedMessage.valueBlock.valueHexView).equals(digestOf(text))
  if (hashAlgorithm.algorithmId !== SHA256 || !isOurs) throw new Error('the timestamp covers something else')
  const isSigned = await signed.verify({ signer: 0, data: bytesOf(Buffer.from(text)) })
  if (!isSigned) throw new Error('the signature of the timestamp is wrong')
  return { info }
}

async function requestBytes(digest: Buffer, nonce: Uint8Array): Promise<ArrayBuffer> {
  const { asn1js, pkijs } = await libraries()
  const request = new pkijs.TimeStampReq({
    version: 1,
    messageImprint: new pkijs.MessageImprint({
      hashAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: SHA256, algorithmParams: new asn1js.Null() }),
      hashedMessage: new asn1js.OctetString({ valueHex: bytesOf(digest) }),
    }),
    nonce: new asn1js.Integer({ valueHex: bytesOf(nonce) }),
    certReq: true,
  })
  return request.toSchema().toBER(false)
}

async function readBytes(response: Response): Promise<ArrayBuffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > TIMESTAMP_RESPONSE_BYTES_MAX) throw new Error('the response of the timestamp authority is too long')
    parts.push(part)
  }
  return bytesOf(Buffer.concat(parts))
}

/** Copied, because a Buffer may be part of a shared pool. */
function bytesOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}
