import Type from 'typebox'
import {
  createProvider,
  deleteProvider,
  listProviders,
  type SsoParts,
  type SsoProvider,
  updateProvider,
} from '../../../../identity/index.ts'
import { type App, ChangeRequested, envelope, idParams, ok, runVerb, userCredentialOf } from '../../../http/index.ts'
import { byAdmins, byOwnersWithStepUp } from '../../access.ts'
import { Deleted, presentDeleted } from '../../schemas.ts'
import { clientSecret, issuerUrl, PROVIDER_FIELDS, presentProvider, SsoProviderData } from './sso-schemas.ts'

const tags = ['Single sign-on']
/** A person who signs in there becomes a member, with the role that the provider names. */
const change = { kind: 'members', secrets: ['clientSecret'] } as const
const audit = { object: 'sso_provider', details: ['data.issuer', 'data.enforced', 'data.domains'] }

/** The organization's identity providers: `/api/core/sso/providers`. */
export function ssoProviderRoutes(app: App, parts: SsoParts): void {
  const present = (provider: SsoProvider) => ok(presentProvider(provider, parts.sso.callbackUrl))

  app.get(
    '/api/core/sso/providers',
    {
      config: byAdmins,
      schema: {
        tags,
        operationId: 'listSsoProviders',
        summary: 'List identity providers',
        description: 'All of them, newest first, without their secrets.',
        response: { 200: envelope(Type.Array(SsoProviderData), 'The identity providers.') },
      },
    },
    async (request) => {
      const providers = await listProviders(parts, userCredentialOf(request).organizationId)
      return ok(providers.map((provider) => presentProvider(provider, parts.sso.callbackUrl)))
    },
  )

  app.post(
    '/api/core/sso/providers',
    {
      config: { ...byOwnersWithStepUp, idempotent: 'plain', change, audit },
      schema: {
        tags,
        operationId: 'createSsoProvider',
        summary: 'Add an identity provider',
        description:
          'Owners only. The provider must support OpenID Connect discovery and the authorization code flow; register `callbackUrl` of the response there. Nothing is requested from it before the first sign-in. Prove domains first (`POST /api/core/sso/domains`).',
        body: Type.Object({
          ...PROVIDER_FIELDS.required,
          issuer: issuerUrl,
          clientSecret,
          ...PROVIDER_FIELDS.optional,
        }),
        response: { 201: envelope(SsoProviderData, 'The new identity provider.'), 202: ChangeRequested },
      },
    },
    async (request, reply) =>
      runVerb(reply, 201, present, (transact) =>
        createProvider(parts, userCredentialOf(request), request.body, transact),
      ),
  )

  app.patch(
    '/api/core/sso/providers/:id',
    {
      config: { ...byOwnersWithStepUp, change, audit },
      schema: {
        tags,
        operationId: 'updateSsoProvider',
        summary: 'Change an identity provider',
        description:
          'Owners only. Omitted fields are unchanged; `domains` replaces the whole list. To change the issuer, add another provider. Open sessions continue, even when `enforced` becomes true.',
        params: idParams('Identity provider id.'),
        body: Type.Partial(Type.Object({ ...PROVIDER_FIELDS.required, clientSecret, ...PROVIDER_FIELDS.optional })),
        response: { 200: envelope(SsoProviderData, 'The updated identity provider.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const input = { actor: userCredentialOf(request), providerId: request.params.id, changes: request.body }
      return runVerb(reply, 200, present, (transact) => updateProvider(parts, input, transact))
    },
  )

  app.delete(
    '/api/core/sso/providers/:id',
    {
      config: { ...byOwnersWithStepUp, change: { kind: 'members' }, audit: { object: 'sso_provider' } },
      schema: {
        tags,
        operationId: 'deleteSsoProvider',
        summary: 'Delete an identity provider',
        description:
          'Owners only. Sign-in through this provider stops at once, and passwords work again for its domains. The domains stay proved, the members stay members, and open sessions continue.',
        params: idParams('Identity provider id.'),
        response: { 200: envelope(Deleted, 'The identity provider was deleted.'), 202: ChangeRequested },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentDeleted, (transact) =>
        deleteProvider(parts, userCredentialOf(request), request.params.id, transact),
      ),
  )
}
