import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { KEY_SERVICE_ENV, type KeyService, startKeyService } from '../../testing/stand-ins/key-service.ts'
import { connectAwsKms } from './aws-kms.ts'

let kms: KeyService
beforeAll(async () => {
  kms = await startKeyService('alias/weir')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await kms?.close()
})
beforeEach(() => {
  vi.unstubAllEnvs()
  for (const [name, value] of Object.entries(KEY_SERVICE_ENV)) vi.stubEnv(name, value)
})

const connect = (endpoint: string | undefined, attemptTimeoutMs?: number) =>
  connectAwsKms({
    keyIds: ['alias/weir'],
    installation: 'one',
    endpoint,
    ...(attemptTimeoutMs && { attemptTimeoutMs }),
  })

test('requests are signed: with another secret KMS refuses them', async () => {
  expect((await (await connect(kms.url)).generate('kms-1')).key).toMatch(/^[0-9a-f]{64}$/)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another')
  const service = await connect(kms.url)
  await expect(service.generate('kms-1')).rejects.toMatchObject({
    isFinal: false,
    message: expect.stringContaining(
      'AWS KMS could not generate a data key with alias/weir: InvalidSignatureException',
    ),
  })
})

test('an unreachable KMS is reported in one line', async () => {
  const gone = await startKeyService()
  await gone.close()
  const service = await connect(gone.url)
  await expect(service.unwrap(Buffer.alloc(64), 'kms-1')).rejects.toMatchObject({
    isFinal: false,
    message: expect.stringMatching(/^AWS KMS could not unwrap the data key kms-1 with alias\/weir: .*ECONNREFUSED.*$/),
  })
})

test('a KMS that does not respond times out', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const service = await connect(`http://127.0.0.1:${port}`, 50)
  await expect(service.generate('kms-1')).rejects.toMatchObject({
    isFinal: false,
    message: expect.stringContaining('TimeoutError'),
  })
  silent.close()
})

test('plain http from elsewhere in the configuration of the SDK is refused, and nothing is sent', async () => {
  const before = kms.calls.length
  vi.stubEnv('AWS_ENDPOINT_URL', kms.url)
  await expect((await connect(undefined)).generate('kms-1')).rejects.toThrow(
    'plain http is accepted in AWS_ENDPOINT_URL_KMS only',
  )
  expect(kms.calls.length).toBe(before)
})
