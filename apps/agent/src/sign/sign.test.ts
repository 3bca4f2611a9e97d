import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import {
  bytesToHex,
  concatHex,
  type Hex,
  hexToBigInt,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { expect, test } from 'vitest'
import { derOf, ORDER } from '../../testing/der.ts'
import { blockhashOf, compactOfDer, evmDigest, evmSigned, solanaMessage, solanaSigned } from './index.ts'

const unsigned = serializeTransaction({
  type: 'eip1559',
  chainId: 31337,
  nonce: 3,
  gas: 90_000n,
  maxFeePerGas: 5n,
  maxPriorityFeePerGas: 1n,
  to: '0x52908400098527886E0F7030069857D2E4169EE7',
  data: '0x1234',
})

async function signedBy(key: Hex) {
  const { r, s } = await sign({ hash: evmDigest(unsigned), privateKey: key })
  return { compact: Buffer.from(concatHex([r, s]).slice(2), 'hex'), r: hexToBigInt(r), s: hexToBigInt(s) }
}

test('a signature and its high-s variant both become the canonical one, and the sender is the signer', async () => {
  for (let round = 0; round < 8; round++) {
    const key = generatePrivateKey()
    const signer = privateKeyToAddress(key)
    const { compact, r, s } = await signedBy(key)
    const { raw, hash } = await evmSigned(unsigned, compact, signer)
    expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(signer)
    expect(await evmSigned(unsigned, compactOfDer(derOf(r, ORDER - s)), signer)).toEqual({ raw, hash })
    const { r: _r, s: _s, yParity: _y, v: _v, ...rest } = parseTransaction(raw as Hex) as Record<string, unknown>
    expect(rest).toMatchObject(parseTransaction(unsigned))
  }
})

test('a signature of another key, or of other bytes, is never attached to a transaction', async () => {
  const [key, other] = [generatePrivateKey(), generatePrivateKey()]
  const { compact } = await signedBy(other)
  await expect(evmSigned(unsigned, compact, privateKeyToAddress(key))).rejects.toThrow('is not 0x')
  await expect(evmSigned(unsigned, compact.subarray(1), privateKeyToAddress(key))).rejects.toThrow('64 bytes')
  await expect(evmSigned(unsigned, new Uint8Array(64), privateKeyToAddress(key))).rejects.toThrow('out of range')
})

test('DER is decoded for every pair of numbers, and nothing else is accepted', () => {
  const number = fc.bigInt({ min: 1n, max: ORDER - 1n })
  fc.assert(
    fc.property(number, number, (r, s) => {
      const text = Buffer.from(compactOfDer(derOf(r, s))).toString('hex')
      return BigInt(`0x${text.slice(0, 64)}`) === r && BigInt(`0x${text.slice(64)}`) === s
    }),
  )
  const good = derOf(5n, 7n)
  for (const bad of [
    good.subarray(1),
    Buffer.concat([good, Buffer.of(0)]),
    Buffer.alloc(0),
    Buffer.from(bytesToHex(good)),
  ]) {
    expect(() => compactOfDer(bad)).toThrow('DER')
  }
})

test('a Solana signature is checked before it is attached', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const blockhash = Buffer.alloc(32, 9)
  const message = Buffer.concat([Buffer.of(0x80, 1, 0, 1, 2), key, Buffer.alloc(32, 5), blockhash, Buffer.of(0, 0)])
  const bytes = Buffer.concat([Buffer.of(1), Buffer.alloc(64), message]).toString('base64')
  const signer = base58.encode(key)
  expect(Buffer.from(solanaMessage(bytes))).toEqual(message)
  expect(blockhashOf(bytes)).toBe(base58.encode(blockhash))
  const signature = signBytes(null, message, privateKey)
  const { raw, hash } = solanaSigned(bytes, signature, signer)
  expect(Buffer.from(raw, 'base64').subarray(1, 65)).toEqual(signature)
  expect(hash).toBe(base58.encode(signature))
  const wrong = Buffer.from(signature)
  wrong[3]! ^= 1
  expect(() => solanaSigned(bytes, wrong, signer)).toThrow(`is not ${signer}'s`)
  expect(() => solanaSigned(bytes, signature.subarray(1), signer)).toThrow('64 bytes')
})
