import type { ComponentType } from 'react'
import * as icons from '../../parts/icons.tsx'

/** Every page of the menu and the palette. */
export interface PageLink {
  readonly path: string
  readonly title: string
  readonly icon: ComponentType
  readonly group: 'Money' | 'Control' | 'Build'
  readonly about: string
  readonly sandboxOnly?: boolean
  readonly adminsOnly?: boolean
}

export const PAGES: readonly PageLink[] = [
  {
    path: '/',
    title: 'Overview',
    icon: icons.HomeIcon,
    group: 'Money',
    about: 'What you hold, what earns, what waits',
  },
  {
    path: '/app/wallets',
    title: 'Wallets',
    icon: icons.WalletIcon,
    group: 'Money',
    about: 'Balances, buffers, what would move',
  },
  {
    path: '/app/operations',
    title: 'Operations',
    icon: icons.FlowIcon,
    group: 'Money',
    about: 'Approvals, progress, history',
  },
  {
    path: '/app/allocations',
    title: 'Allocations',
    icon: icons.ChartIcon,
    group: 'Money',
    about: 'Positions, their yield, and their liquidity',
  },
  {
    path: '/app/ramp',
    title: 'Ramp',
    icon: icons.BankIcon,
    group: 'Money',
    about: 'Dollars in and out: bank accounts, recipients, payments',
  },
  {
    path: '/app/reconciliation',
    title: 'Reconciliation',
    icon: icons.ScaleIcon,
    group: 'Money',
    about: 'Ledger, positions and bank side by side',
  },
  {
    path: '/app/venues',
    title: 'Venues',
    icon: icons.BoltIcon,
    group: 'Control',
    about: 'Rates, risk, deposit limits, circuit breakers',
  },
  {
    path: '/app/health',
    title: 'Health',
    icon: icons.HealthIcon,
    group: 'Control',
    about: 'Agents, chains, gas, quarantined wallets',
  },
  {
    path: '/app/policy',
    title: 'Approval policy',
    icon: icons.ShieldIcon,
    group: 'Control',
    about: 'Who must approve what',
  },
  {
    path: '/app/changes',
    title: 'Change requests',
    icon: icons.ChangeIcon,
    group: 'Control',
    about: 'Changes that wait for a second person',
  },
  {
    path: '/app/members',
    title: 'Members',
    icon: icons.PeopleIcon,
    group: 'Control',
    about: 'People, roles, invitations',
  },
  {
    path: '/app/settings',
    title: 'Settings',
    icon: icons.SettingsIcon,
    group: 'Control',
    about: 'Change policy, destinations, single sign-on, security events',
  },
  {
    path: '/app/audit',
    title: 'Audit log',
    icon: icons.LogIcon,
    group: 'Control',
    about: 'Who did what, with its proof',
    adminsOnly: true,
  },
  {
    path: '/app/activity',
    title: 'Activity',
    icon: icons.PulseIcon,
    group: 'Build',
    about: 'Events, webhooks, deliveries, API key errors',
  },
  {
    path: '/app/developers',
    title: 'Developers',
    icon: icons.CodeIcon,
    group: 'Build',
    about: 'Keys, profiles, requests as curl',
  },
  {
    path: '/app/sandbox',
    title: 'Sandbox',
    icon: icons.FlaskIcon,
    group: 'Build',
    about: 'Faucet, clock, faults',
    sandboxOnly: true,
  },
]
