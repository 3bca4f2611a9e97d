import { webcrypto } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'

/** What a faulty authority does with a request. */
export type TimestampFault = 'none' | 'unavailable' | 'refuses' | 'other text' | 'other nonce' | 'wrong signature'

/** A time stamp authority on this machine (RFC 3161 over HTTP), with a key and a certificate of its own. */
export interface TimestampAuthority {
  readonly url: string
  fault: TimestampFault
  close(): Promise<void>
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const ISSUED_AT = new Date('2026-01-01T00:00:00Z')

export async function timestampAuthority(): Promise<TimestampAuthority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await certificateOf(keys)
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    if (authority.fault === 'unavailable') return response.writeHead(503).end()
    const body = await respond(copyOf(Buffer.concat(parts)), certificate, keys.privateKey, authority.fault)
    return response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(Buffer.from(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const authority: TimestampAuthority = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    fault: 'none',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return authority
}

async function respond(
  body: ArrayBuffer,
  certificate: pkijs.Certificate,
  key: webcrypto.CryptoKey,
  fault: TimestampFault,
): Promise<ArrayBuffer> {
  const asked = pkijs.TimeStampReq.fromBER(body)
  if (fault === 'refuses') {
    return new pkijs.TimeStampResp({ status: new pkijs.PKIStatusInfo({ status: 2 }) }).toSchema().toBER(false)
  }
  const { messageImprint } = asked
  if (fault === 'other text') messageImprint.hashedMessage = new asn1js.OctetString({ valueHex: new ArrayBuffer(32) })
  const info = new pkijs.TSTInfo({
    version: 1,
    policy: '1.2.3.4.1',
    messageImprint,
    serialNumber: new asn1js.Integer({ value: 1 }),
    genTime: new Date('2026-11-22T10:00:00Z'),
    nonce: fault === 'other nonce' ? new asn1js.Integer({ value: 5 }) : asked.nonce!,
  })
  const signed = new pkijs.SignedData({
    version: 3,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({
      eContentType: '1.2.840.113549.1.9.16.1.4',
      eContent: new asn1js.OctetString({ valueHex: info.toSchema().toBER(false) }),
    }),
    signerInfos: [
      new pkijs.SignerInfo({
        version: 1,
        sid: new pkijs.IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
      }),
    ],
    certificates: [certificate],
  })
  await signed.sign(key as CryptoKey, 0, 'SHA-256')
  if (fault === 'wrong signature') {
    const [signer] = signed.signerInfos
    signer!.signature = new asn1js.OctetString({ valueHex: flipped(signer!.signature.valueBlock.valueHexView) })
  }
  const token = new pkijs.ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: signed.toSchema(true) })
  return new pkijs.TimeStampResp({ status: new pkijs.PKIStatusInfo({ status: 0 }), timeStampToken: token })
    .toSchema()
    .toBER(false)
}

/** The signature with another last byte: still well formed, but of nothing. */
function flipped(signature: Uint8Array): ArrayBuffer {
  const bytes = Uint8Array.from(signature)
  bytes[bytes.length - 1]! ^= 1
  return bytes.buffer
}

async function certificateOf(keys: webcrypto.CryptoKeyPair): Promise<pkijs.Certificate> {
  const certificate = new pkijs.Certificate({ version: 2, serialNumber: new asn1js.Integer({ value: 1 }) })
  const name = new pkijs.AttributeTypeAndValue({
    type: '2.5.4.3',
    value: new asn1js.Utf8String({ value: 'Test authority' }),
  })
  certificate.issuer.typesAndValues.push(name)
  certificate.subject.typesAndValues.push(name)
  certificate.notBefore.value = ISSUED_AT
  certificate.notAfter.value = new Date('2046-01-01T00:00:00Z')
  certificate.extensions = [
    new pkijs.Extension({
      extnID: '2.5.29.37',
      critical: true,
      extnValue: new pkijs.ExtKeyUsage({ keyPurposes: ['1.3.6.1.5.5.7.3.8'] }).toSchema().toBER(false),
    }),
  ]
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey as CryptoKey)
  await certificate.sign(keys.privateKey as CryptoKey, 'SHA-256')
  return certificate
}

function copyOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}
