import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { POLICY_LIST_MAX, POLICY_RULES_MAX } from '../../src/kernel/index.ts'
import { createOrganizationFixture, type OrganizationFixture } from '../access/organization-fixture.ts'
import { ROUTES } from '../access/route-access.ts'
import { type InProcessService, startInProcessService } from '../service/in-process-service.ts'
import { costlyBodies, costlyTexts } from './costly-bodies.ts'
import { leastCost } from './measure-cost.ts'
import { type DocumentedRoute, exampleValues } from './request-arbitraries.ts'
import type { Schema, SchemaSource } from './schema-arbitraries.ts'

const MEBIBYTE = 1_048_576
/**
 * The short form sends a quarter of a MiB, and the same filler to places of the same schema once. The long form sends
 * the largest body everywhere: `COST=all npx vitest run apps/server/system/fuzzing/request-cost.test.ts`, a quarter of an hour.
 */
const ALL = process.env.COST === 'all'
const BYTES = ALL ? MEBIBYTE : MEBIBYTE / 4
/** How long one request may hold the event loop: 200 ms for a MiB, and a floor for what does not grow with the body. */
const BUDGET_MS = Math.max(100, (200 * BYTES) / MEBIBYTE)

let service: InProcessService
let organization: OrganizationFixture

beforeAll(async () => {
  service = await startInProcessService()
  organization = await createOrganizationFixture(service, 'a customer')
})
afterAll(() => service?.stop())

const schemaAt = (ref: string): Schema => {
  const { components } = service.contract.document as unknown as { components: { schemas: Record<string, Schema> } }
  return components.schemas[ref.split('/').at(-1) ?? ''] ?? {}
}

describe('no body costs more than its size allows', () => {
  const written = Object.keys(ROUTES).filter((route) => !/^(?:GET|OPTIONS) /.test(route))

  const tried = new Set<string>()

  test.each(written)('%s', { timeout: 600_000 }, async (route) => {
    const [method = '', path = ''] = route.split(' ')
    const documented = service.contract.document.paths[path]![method.toLowerCase()] as DocumentedRoute
    const schema = Object.values(documented.requestBody?.content ?? {})[0]?.schema
    const source: SchemaSource = { resolve: schemaAt, examples: exampleValues(organization, organization) }
    // A route without a schema reads its body in a way of its own.
    const texts = ALL || schema === undefined || route === 'POST /v1/operations/supply' ? costlyTexts(BYTES) : []
    const bodies = [...texts, ...(schema === undefined ? [] : costlyBodies(source, schema, BYTES))]
    const costly: string[] = []
    for (const { shape, kind, text } of bodies) {
      if (!ALL && schema !== undefined && tried.has(kind)) continue
      tried.add(kind)
      const cost = await leastCostOf(method, path.replaceAll(/\{\w+\}/g, '1'), text)
      if (cost > BUDGET_MS) costly.push(`${shape}: ${Math.round(cost)} ms`)
    }
    expect(costly).toEqual([])
  })

  test('nor where changes are compared: fields that no schema has, in an otherwise valid change', async () => {
    const fields = Array.from({ length: 90_000 }, (_, at) => `"${((at * 7_919) % 1_000_000).toString(36)}":1`)
    const route = '/api/core/organization/security'
    const cost = await leastCostOf('PUT', route, `{"approvalMails":true,"more":{${fields}}}`)
    expect(cost).toBeLessThan(200)
  })

  test('nor where a policy is tried: as many rules, names and counterparties as fit', async () => {
    const named = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => prefix + at.toString(36))
    const when = { counterparties: named(POLICY_LIST_MAX, 'A') }
    const rules = Array.from({ length: POLICY_RULES_MAX }, (_, at) => ({ name: `${at}`, when, then: 'reject' }))
    const policy = { mode: 'conditional', rules, default: 'approve', requiredApprovals: 1 }
    const body = JSON.stringify({ counterparties: named(POLICY_LIST_MAX, 'B'), policy })
    const cost = await leastCostOf('POST', '/api/core/approval-policy/evaluate', body)
    expect(cost).toBeLessThan(200)
  })

  test('the bodies reach every place of a schema', () => {
    const source: SchemaSource = { resolve: schemaAt, examples: {} }
    const { requestBody } = service.contract.document.paths['/api/core/approval-policy']!.put as DocumentedRoute
    const bodies = costlyBodies(source, Object.values(requestBody!.content)[0]!.schema, 1_000)
    expect(bodies.map(({ shape }) => shape)).toContain('a list of empty objects in rules[].when.outsideHours.days')
  })
})

function leastCostOf(method: string, path: string, body: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'x-api-key': organization.keys.organization,
    authorization: `Bearer ${organization.tokens.owner}`,
  }
  return leastCost(service, { method, path, headers, body: Buffer.from(body) }, BUDGET_MS)
}
