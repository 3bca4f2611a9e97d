import Type from 'typebox'
import {
  claimDomain,
  listDomains,
  releaseDomain,
  type SsoDomain,
  type SsoParts,
  verifyDomain,
} from '../../../../identity/index.ts'
import { DOMAIN_LENGTH_MAX } from '../../../../kernel/index.ts'
import { type App, ChangeRequested, envelope, idParams, ok, runVerb, userCredentialOf } from '../../../http/index.ts'
import { byAdmins, byOwnersWithStepUp } from '../../access.ts'
import { Deleted, presentDeleted } from '../../schemas.ts'
import { presentDomain, SsoDomainData } from './sso-schemas.ts'

const tags = ['Single sign-on']
const audit = { object: 'sso_domain', details: ['data.domain'] }
const present = (domain: SsoDomain) => ok(presentDomain(domain))

/** The domains that the organization claims and proves: `/api/core/sso/domains`. */
export function ssoDomainRoutes(app: App, parts: SsoParts): void {
  app.get(
    '/api/core/sso/domains',
    {
      config: byAdmins,
      schema: {
        tags,
        operationId: 'listSsoDomains',
        summary: 'List claimed domains',
        description: 'All of them, newest first, with the TXT record that proves each.',
        response: { 200: envelope(Type.Array(SsoDomainData), 'The domains.') },
      },
    },
    async (request) => ok((await listDomains(parts, userCredentialOf(request).organizationId)).map(presentDomain)),
  )

  app.post(
    '/api/core/sso/domains',
    {
      config: { ...byOwnersWithStepUp, idempotent: 'plain', audit },
      schema: {
        tags,
        operationId: 'claimSsoDomain',
        summary: 'Claim an email domain',
        description:
          'Owners only. Returns the TXT record to publish. A claim alone has no effect, and several organizations may claim one domain. Claiming it again returns the same record.',
        body: Type.Object({
          domain: Type.String({
            minLength: 1,
            maxLength: DOMAIN_LENGTH_MAX,
            description: 'The part of email addresses after the @. Each subdomain is a separate domain.',
            examples: ['acme.example'],
          }),
        }),
        response: { 201: envelope(SsoDomainData, 'The claimed domain.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 201, present, (transact) =>
        claimDomain(parts, userCredentialOf(request), request.body.domain, transact),
      ),
  )

  app.post(
    '/api/core/sso/domains/:id/verify',
    {
      config: { ...byOwnersWithStepUp, audit },
      schema: {
        tags,
        operationId: 'verifySsoDomain',
        summary: 'Prove a domain',
        description:
          'Owners only. Looks the TXT record up; it may be removed afterwards. Returns 409 CONFLICT with `details.reason` `record_not_found`, `dns_unavailable`, or `domain_taken` if another organization has proved the domain and not released it.',
        params: idParams('Domain id.'),
        response: { 200: envelope(SsoDomainData, 'The domain is proved.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, present, (transact) =>
        verifyDomain(parts, userCredentialOf(request), request.params.id, transact),
      ),
  )

  app.delete(
    '/api/core/sso/domains/:id',
    {
      config: { ...byOwnersWithStepUp, change: { kind: 'members' }, audit: { object: 'sso_domain' } },
      schema: {
        tags,
        operationId: 'releaseSsoDomain',
        summary: 'Release a domain',
        description:
          'Owners only. Single sign-on is no longer required for its addresses and creates no members with them. Another organization can prove the domain from now on.',
        params: idParams('Domain id.'),
        response: { 200: envelope(Deleted, 'The domain was released.'), 202: ChangeRequested },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentDeleted, (transact) =>
        releaseDomain(parts, userCredentialOf(request), request.params.id, transact),
      ),
  )
}
