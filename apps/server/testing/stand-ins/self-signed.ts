import { randomInt } from 'node:crypto'
import { Integer, OctetString, Utf8String } from 'asn1js'
import { AttributeTypeAndValue, Certificate, Extension, GeneralName, GeneralNames } from 'pkijs'

export interface SelfSigned {
  /** PEM; also its own authority. */
  readonly cert: string
  readonly key: string
}

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const
const COMMON_NAME = '2.5.4.3'
const SUBJECT_ALTERNATIVE_NAMES = '2.5.29.17'

/** A new key and a certificate for `localhost` and 127.0.0.1, valid for a day. */
export async function selfSigned(): Promise<SelfSigned> {
  const keys = await crypto.subtle.generateKey(CURVE, true, ['sign', 'verify'])
  const certificate = new Certificate()
  certificate.version = 2
  certificate.serialNumber = new Integer({ value: randomInt(1, 2 ** 31) })
  for (const name of [certificate.issuer, certificate.subject]) {
    name.typesAndValues.push(
      new AttributeTypeAndValue({ type: COMMON_NAME, value: new Utf8String({ value: 'localhost' }) }),
    )
  }
  certificate.notBefore.value = new Date(Date.now() - 3_600_000)
  certificate.notAfter.value = new Date(Date.now() + 86_400_000)
  const loopback = new OctetString({ valueHex: new Uint8Array([127, 0, 0, 1]).buffer })
  const names = new GeneralNames({
    names: [new GeneralName({ type: 2, value: 'localhost' }), new GeneralName({ type: 7, value: loopback })],
  })
  certificate.extensions = [
    new Extension({ extnID: SUBJECT_ALTERNATIVE_NAMES, critical: false, extnValue: names.toSchema().toBER(false) }),
  ]
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey)
  await certificate.sign(keys.privateKey, 'SHA-256')
  return {
    cert: pem('CERTIFICATE', certificate.toSchema(true).toBER(false)),
    key: pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', keys.privateKey)),
  }
}

function pem(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
