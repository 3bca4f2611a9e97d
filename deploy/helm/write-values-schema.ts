// Writes deploy/helm/weir/values.schema.json from the service's settings: node deploy/helm/write-values-schema.ts
import { writeFileSync } from 'node:fs'
import { SETTINGS } from '../../apps/server/src/config.ts'

/** The chart sets these itself. */
const MANAGED = new Set([
  'SERVICE_ENV',
  'ROLE',
  'HOST',
  'PORT',
  'PUBLIC_URL',
  'DATA_DIR',
  'METRICS_HOST',
  'METRICS_PORT',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
])

/** Credentials, which belong in the Secret, and what turns off the verification of certificates. */
const REFUSED_VARIABLES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'NODE_TLS_REJECT_UNAUTHORIZED',
]

type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const count = (minimum: number): Schema => ({ type: 'integer', minimum })
const port: Schema = { type: 'integer', minimum: 1, maximum: 65_535 }
const list = (items: Schema): Schema => ({ type: 'array', items })
const anyObject: Schema = { type: 'object' }
const texts: Schema = { type: 'object', additionalProperties: text }

/** An object that refuses a misspelled value. */
const object = (properties: Readonly<Record<string, Schema>>, more: Schema = {}): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
})

const placement = { nodeSelector: texts, tolerations: list(anyObject), affinity: anyObject }
const resources = object({ requests: anyObject, limits: anyObject })
const deployment = (more: Readonly<Record<string, Schema>> = {}) =>
  object({
    replicas: count(1),
    resources,
    podDisruptionBudget: object({ enabled: flag, maxUnavailable: { type: ['integer', 'string'] } }),
    topologySpread: flag,
    ...placement,
    ...more,
  })

/** One address at which AWS gives out the credentials of a role: of a pod, or of the node. */
const metadataAddress: Schema = { enum: ['169.254.170.23', 'fd00:ec2::23', '169.254.169.254', 'fd00:ec2::254'] }
const isText: Schema = { type: 'string', minLength: 1 }

/** The schema of the chart's values. A setting that holds a credential belongs in the Secret, and is refused here. */
export const valuesSchema: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Values of the Weir chart',
  ...object(
    {
      global: anyObject,
      mode: { enum: ['live', 'sandbox'] },
      image: object({
        repository: isText,
        tag: text,
        digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
      }),
      imagePullSecrets: list(anyObject),
      nameOverride: text,
      fullnameOverride: text,
      publicUrl: { type: 'string', pattern: '^(https?://.+)?$' },
      existingSecret: text,
      settings: {
        type: 'object',
        propertyNames: {
          enum: Object.values(SETTINGS)
            .filter(({ name, secret }) => !secret && !MANAGED.has(name))
            .map(({ name }) => name)
            .toSorted(),
        },
        additionalProperties: text,
      },
      environment: {
        type: 'object',
        propertyNames: { pattern: '^(AWS|NODE)_[A-Z0-9_]+$', not: { enum: REFUSED_VARIABLES } },
        additionalProperties: text,
      },
      api: deployment({
        autoscaling: object({
          enabled: flag,
          minReplicas: count(1),
          maxReplicas: count(1),
          targetCPUUtilizationPercentage: { type: 'integer', minimum: 1, maximum: 100 },
        }),
      }),
      worker: deployment(),
      sandbox: object({ resources, persistence: object({ size: isText, storageClass: text }), ...placement }),
      migration: object({ enabled: flag, activeDeadlineSeconds: count(1), resources }),
      service: object({ type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] }, port, annotations: texts }),
      ingress: object(
        { enabled: flag, className: text, annotations: texts, host: text, tlsSecret: text },
        {
          if: { properties: { enabled: { const: true } }, required: ['enabled'] },
          then: { properties: { host: isText, tlsSecret: isText } },
        },
      ),
      metrics: object({
        enabled: flag,
        port,
        serviceMonitor: object({ enabled: flag, interval: isText, labels: texts }),
      }),
      networkPolicy: object({
        enabled: flag,
        apiFrom: list(anyObject),
        metricsFrom: list(anyObject),
        egressPorts: list(port),
        credentialEndpoints: list(metadataAddress),
        databaseTo: list(anyObject),
        databasePort: port,
        extraEgress: list(anyObject),
      }),
      serviceAccount: object({ create: flag, name: text, annotations: texts }),
      podAnnotations: texts,
      podLabels: texts,
      priorityClassName: text,
      // A stop takes up to ten seconds for requests, and what the workers need.
      terminationGracePeriodSeconds: count(30),
      extraVolumes: list(anyObject),
      extraVolumeMounts: list(anyObject),
    },
    {
      if: { properties: { mode: { const: 'live' } } },
      then: { properties: { publicUrl: { pattern: '^https://.+' }, existingSecret: isText } },
    },
  ),
}

if (import.meta.main) {
  const text = `${JSON.stringify(valuesSchema, null, 2)}\n`
  writeFileSync(new URL('weir/values.schema.json', import.meta.url), text)
}
