import { createHash, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticateBearer } from '../../src/identity/index.ts'
import { currentKey, keyRing, systemRandomSource, UNREADABLE } from '../../src/kernel/index.ts'
import { createFieldSealer, createRecipient, findAccount, findRecipient } from '../../src/ramp/index.ts'
import { type IdentityFixture, identityFixture, organization } from '../../testing/identity/identity-fixture.ts'
import { BANK, RAMP_KEY, type RampClient } from '../../testing/ramp/ramp-client.ts'
import { openRampDatabase, type RampDatabase } from '../../testing/ramp/ramp-database.ts'

/** Attacks by somebody who holds the database, a dump of it, or a key that was replaced. */

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

describe('somebody who writes to the database', () => {
  let fixture: RampDatabase
  let victim: RampClient
  let attacker: RampClient
  let target: number
  let own: number
  beforeAll(async () => {
    fixture = await openRampDatabase()
    victim = await fixture.organization({ name: 'Victim Ltd' })
    attacker = await fixture.organization({ name: 'Attacker Ltd' })
    target = (await victim.recipient({ name: 'Vera Victim' })).customerId
    own = (await victim.recipient({ name: 'Otto Other' })).customerId
  })
  afterAll(() => fixture?.close())

  const rowOf = (id: number) =>
    fixture.parts.db.selectFrom('ramp_customers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const plant = (id: number, columns: object) =>
    fixture.parts.db.updateTable('ramp_customers').set(columns).where('id', '=', id).execute()

  test('puts the sealed name of one recipient in the row of another: it does not open', async () => {
    const before = await rowOf(target)
    await plant(target, { sealed_name: (await rowOf(own)).sealed_name })
    expect(await findRecipient(fixture.parts, victim.organizationId, target)).toMatchObject({ name: UNREADABLE })
    await plant(target, { sealed_name: before.sealed_name })
    expect((await findRecipient(fixture.parts, victim.organizationId, target)).name).toBe('Vera Victim')
  })

  test('puts a sealed field in another column of the same row: it does not open', async () => {
    const before = await rowOf(target)
    await plant(target, { sealed_name: before.sealed_address })
    expect(await findRecipient(fixture.parts, victim.organizationId, target)).toMatchObject({ name: UNREADABLE })
    await plant(target, { sealed_name: before.sealed_name })
  })

  test('puts the sealed name of a foreign organization in their own recipient: it does not open', async () => {
    const { customerId } = await attacker.recipient({ name: 'Mine' })
    await plant(customerId, { sealed_name: (await rowOf(target)).sealed_name })
    expect((await findRecipient(fixture.parts, attacker.organizationId, customerId)).name).toBe(UNREADABLE)
  })

  test('puts the account number of one account in another: it does not open', async () => {
    const [first, second] = [await victim.onramp(), await attacker.onramp()]
    const { account_number: sealed } = await fixture.parts.db
      .selectFrom('ramp_accounts')
      .select('account_number')
      .where('id', '=', second.accountId)
      .executeTakeFirstOrThrow()
    await fixture.parts.db
      .updateTable('ramp_accounts')
      .set({ account_number: sealed })
      .where('id', '=', first.accountId)
      .execute()
    const read = await findAccount(fixture.parts, victim.organizationId, first.accountId, 'onramp')
    expect(read.accountNumber).toBe(UNREADABLE)
  })

  test('flips one bit of a sealed value: it does not open', async () => {
    const { sealed_name: sealed } = await rowOf(own)
    const changed = Buffer.from(sealed!)
    changed[changed.length - 1]! ^= 1
    await plant(own, { sealed_name: changed })
    expect((await findRecipient(fixture.parts, victim.organizationId, own)).name).toBe(UNREADABLE)
    await plant(own, { sealed_name: sealed })
  })

  test('replaces a sealed name by a plain-text one, once every row was sealed: nobody reads it', async () => {
    const { sealed_name: sealed } = await rowOf(target)
    const keys = { encryptionKeys: RAMP_KEY, indexKey: RAMP_KEY, random: systemRandomSource }
    const strict = { ...fixture.parts, fields: createFieldSealer({ ...keys, acceptsClear: false }) }
    await plant(target, { sealed_name: null, name: 'Mallory' })
    expect((await findRecipient(strict, victim.organizationId, target)).name).toBe(UNREADABLE)
    await plant(target, { sealed_name: sealed, name: '' })
  })

  test('reads a dump: it has no name, address, external id, bank detail or link of the ramp in plain text', async () => {
    const planted = [
      'Dora Dumped',
      'dora-4711',
      '77 Secret Alley',
      BANK.holderName,
      BANK.routingNumber,
      BANK.accountNumber,
    ]
    const { organizationId } = victim
    const address = { street1: '77 Secret Alley', city: 'Basel', country: 'CH' }
    const input = { organizationId, name: 'Dora Dumped', type: 'individual', externalId: 'dora-4711', address }
    const { kybLink } = await createRecipient(fixture.parts, input)
    const dora = await victim.recipient({ name: 'Dora Dumped' })
    await victim.offramp(dora.customerId)
    const { rows: tables } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'
    `.execute(fixture.parts.db)
    const holding: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(
        fixture.parts.db,
      )
      for (const text of [...planted, kybLink]) {
        const asBytes = Buffer.from(text).toString('hex')
        if (rows.some(({ row }) => row.includes(text) || row.includes(asBytes))) holding.push(`${name}: ${text}`)
      }
    }
    expect(holding).toEqual([])
  })

  test('guesses an external id against the blind index without its key: no plain or foreign hash matches', async () => {
    const { rows } = await sql<{ index: Buffer }>`
      select external_id_index as index from ramp_customers where external_id_index is not null
    `.execute(fixture.parts.db)
    expect(rows.length).toBe(1)
    const guesses = [
      createHash('sha256').update('dora-4711').digest(),
      createHmac('sha256', '').update('dora-4711').digest(),
      fixture.parts.fields.externalIdIndex(attacker.organizationId, 'dora-4711'),
      createFieldSealer({
        encryptionKeys: RAMP_KEY,
        indexKey: 'ab'.repeat(32),
        random: systemRandomSource,
      }).externalIdIndex(victim.organizationId, 'dora-4711'),
    ]
    for (const guess of guesses) expect(rows[0]!.index.equals(guess)).toBe(false)
    expect(rows[0]!.index).toEqual(fixture.parts.fields.externalIdIndex(victim.organizationId, 'dora-4711'))
  })
})

describe('somebody with an access token or an old secret', () => {
  let parts: IdentityFixture
  let claims: { org: number; sid: number; sub: string }
  beforeAll(async () => {
    parts = await identityFixture()
    const { owner } = await organization(parts)
    claims = { org: owner.organizationId, sid: owner.sessionId, sub: String(owner.userId) }
  })
  afterAll(() => parts?.close())

  const OLD = 'a secret that leaked and left the ring'
  /** A token with any header, signed with any secret. */
  function forge(header: object, secret: string, digest = 'sha256'): string {
    const exp = Math.floor(parts.clock.now().getTime() / 1_000) + 60
    const text = `${encode(header)}.${encode({ ...claims, iss: 'weir', aud: 'weir:sandbox:core', exp })}`
    return `${text}.${createHmac(digest, secret).update(text).digest('base64url')}`
  }

  test('signs with the current secret: the forgery that the others are compared with works', async () => {
    const token = forge({ alg: 'HS256', kid: '0' }, currentKey(parts.secrets.jwt))
    expect(await authenticateBearer(parts, token)).toBeDefined()
  })

  test.each([
    ['a secret that left the ring, under its old id', { alg: 'HS256', kid: 'old' }, OLD],
    ['a secret that left the ring, under the current id', { alg: 'HS256', kid: '0' }, OLD],
    ['a secret that left the ring, without an id', { alg: 'HS256' }, OLD],
    ['an id that is a path', { alg: 'HS256', kid: '../../../../dev/null' }, ''],
    [
      'an id that is a path, with content that the attacker guesses',
      { alg: 'HS256', kid: '/etc/hostname' },
      'localhost',
    ],
    ['an id that is an SQL fragment', { alg: 'HS256', kid: "0' or '1'='1" }, OLD],
    ['an id that every object has', { alg: 'HS256', kid: '__proto__' }, ''],
    ['an id that is a number', { alg: 'HS256', kid: 0 }, OLD],
    ['an empty id', { alg: 'HS256', kid: '' }, ''],
    ['a key of its own in the header', { alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } }, '\0\0\0'],
    ['an address of keys in the header', { alg: 'HS256', jku: 'https://attacker.example/keys', kid: 'mine' }, OLD],
    ['no algorithm', { alg: 'none', kid: '0' }, OLD],
    ['an asymmetric algorithm', { alg: 'RS256', kid: '0' }, OLD],
  ])('signs with %s: the token is refused', async (_what, header, secret) => {
    expect(await authenticateBearer(parts, forge(header, secret || 'x'))).toBeUndefined()
    const [text] = forge(header, 'x').split(/\.(?=[^.]*$)/)
    expect(await authenticateBearer(parts, `${text}.`)).toBeUndefined()
  })

  test('signs the right secret with another digest: the token is refused', async () => {
    const token = forge({ alg: 'HS512', kid: '0' }, currentKey(parts.secrets.jwt), 'sha512')
    expect(await authenticateBearer(parts, token)).toBeUndefined()
  })

  test('uses the id of another key of the ring: the token is verified with that key only', async () => {
    const ring = keyRing([['2026b', 'the next secret of the tests, as long'], ...parts.secrets.jwt.keys])
    const rotated = { ...parts, secrets: { ...parts.secrets, jwt: ring } }
    const old = currentKey(parts.secrets.jwt)
    expect(await authenticateBearer(rotated, forge({ alg: 'HS256', kid: '2026b' }, old))).toBeUndefined()
    expect(await authenticateBearer(rotated, forge({ alg: 'HS256', kid: '0' }, old))).toBeDefined()
  })
})
