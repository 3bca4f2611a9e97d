import Type from 'typebox'
import { NAME_LENGTH_MAX, SANDBOX_AGENTS_MAX } from '../../kernel/index.ts'
import {
  type SandboxAgent,
  type SandboxAgents,
  type StartAgentParts,
  startSandboxAgent,
  stopSandboxAgent,
} from '../../sandbox/index.ts'
import { type App, ChangeRequested, envelope, id, idParams, ok, runVerb, userCredentialOf } from '../http/index.ts'
import { byAdminsWithStepUp, byEveryone } from './access.ts'
import { orNull } from './formats.ts'
import { Deleted, dateTime, presentDeleted } from './schemas.ts'

const AgentData = Type.Object(
  {
    id: id('Agent id: the id of its API key.'),
    name: Type.String({ description: 'Descriptive label of the agent and its API key.' }),
    state: Type.Enum(['starting', 'running', 'restarting', 'stopped'], {
      description:
        'running: it polls for work. restarting: it ended by itself and is started again. stopped: its API key no longer works.',
    }),
    createdAt: dateTime('When it was created.'),
    startedAt: orNull(
      dateTime('When the process that runs now was started.'),
      'When the process that runs now was started; null if none does.',
    ),
    restarts: Type.Integer({ minimum: 0, description: 'How often it was started again since the service started.' }),
  },
  { $id: 'SandboxAgent', description: 'A custody agent that the sandbox runs.' },
)

const present = ({ createdAt, startedAt, ...agent }: SandboxAgent) => ({
  ...agent,
  createdAt: createdAt.toISOString(),
  startedAt: startedAt?.toISOString() ?? null,
})

const tags = ['Sandbox']
const { organization, service } = SANDBOX_AGENTS_MAX

/** Custody agents that the sandbox runs; not registered in live. */
export function sandboxAgentRoutes(app: App, parts: Omit<StartAgentParts, 'agents'>, agents: SandboxAgents): void {
  app.post(
    '/api/core/sandbox/agents',
    {
      config: {
        ...byAdminsWithStepUp,
        idempotent: 'plain',
        change: { kind: 'keys' },
        conflict: 'The process runs no agents, or a limit is reached.',
        audit: { object: 'sandbox_agent', details: ['data.name'] },
      },
      schema: {
        tags,
        operationId: 'startSandboxAgent',
        summary: 'Run a custody agent in the sandbox',
        description: `Makes an API key with the permission \`agent\`, and starts a custody agent with it on the machine of the service. The agent makes the wallets that you [create through your agent](#tag/custody) and signs for them; its keys are in \`DATA_DIR/agents\`. It resumes after a restart of the service, and is started again if it ends. Live has no such agents. Errors: CONFLICT with \`details.reason\` \`runs_no_agents\` if this process cannot run any, as the message says, or \`too_many_agents\` beyond ${organization} of an organization or ${service} of the service.`,
        body: Type.Object({
          name: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: NAME_LENGTH_MAX,
              default: 'Sandbox agent',
              description: 'Descriptive label.',
            }),
          ),
        }),
        response: { 201: envelope(AgentData, 'The agent.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const { organizationId, userId: createdBy } = userCredentialOf(request)
      const { name = 'Sandbox agent' } = request.body
      return runVerb(
        reply,
        201,
        (agent: SandboxAgent) => ok(present(agent)),
        (transact) => startSandboxAgent({ ...parts, agents }, { organizationId, name, createdBy }, transact),
      )
    },
  )

  app.get(
    '/api/core/sandbox/agents',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'listSandboxAgents',
        summary: 'List the custody agents of the sandbox',
        description: 'Agents of this organization that the sandbox runs, oldest first.',
        response: { 200: envelope(Type.Array(AgentData), 'The agents.') },
      },
    },
    async (request) => ok(agents.list(userCredentialOf(request).organizationId).map(present)),
  )

  app.delete(
    '/api/core/sandbox/agents/:id',
    {
      config: { ...byAdminsWithStepUp, audit: { object: 'sandbox_agent' } },
      schema: {
        tags,
        operationId: 'stopSandboxAgent',
        summary: 'Stop a custody agent of the sandbox',
        description:
          'The agent finishes the work in hand, and its API key is revoked. The keys of its wallets stay in its folder below `DATA_DIR/agents`, but nothing signs with them until you run an agent on them. Error: NOT_FOUND.',
        params: idParams('Agent id.'),
        response: { 200: envelope(Deleted, 'The agent was stopped.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = userCredentialOf(request)
      const agent = { organizationId, agentId: request.params.id }
      return runVerb(reply, 200, presentDeleted, (transact) => stopSandboxAgent({ ...parts, agents }, agent, transact))
    },
  )
}
