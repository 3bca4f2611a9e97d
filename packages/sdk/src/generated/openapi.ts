// Written by `npm run generate -w @weir/sdk` from the OpenAPI document of the service. Do not edit.
export interface webhooks {
    "operation.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * operation.created
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onOperationCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "operation.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * operation.approved
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onOperationApproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "operation.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * operation.rejected
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onOperationRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "operation.executing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * operation.executing
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onOperationExecuting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "operation.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * operation.completed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onOperationCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "operation.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * operation.failed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onOperationFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "allocation.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * allocation.created
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onAllocationCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "allocation.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * allocation.closed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onAllocationClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.approved
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onCustomerApproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.declined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.declined
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onCustomerDeclined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * transaction.updated
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onTransactionUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * transaction.completed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onTransactionCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * transaction.failed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onTransactionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * transaction.reversed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onTransactionReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "offramp_transaction.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * offramp_transaction.updated
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onOfframpTransactionUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "offramp_transaction.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * offramp_transaction.completed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onOfframpTransactionCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "offramp_transaction.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * offramp_transaction.failed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onOfframpTransactionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "offramp_transaction.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * offramp_transaction.reversed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onOfframpTransactionReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.test
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.disabled
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "strategy.breaker_opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * strategy.breaker_opened
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onStrategyBreakerOpened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "strategy.breaker_closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * strategy.breaker_closed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onStrategyBreakerClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "break.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * break.opened
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onBreakOpened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "break.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * break.accepted
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onBreakAccepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "break.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * break.closed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onBreakClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "exit.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * exit.pending
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onExitPending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "exit.claimable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * exit.claimable
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onExitClaimable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "exit.claimed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * exit.claimed
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onExitClaimed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "allocation.loss_booked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * allocation.loss_booked
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onAllocationLossBooked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "allocation.fee_booked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * allocation.fee_booked
         * @description Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.
         */
        post: operations["onAllocationFeeBooked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The body of: Accept a difference between ledger and chain. */
        AcceptBreakBody: {
            /** @description Why the difference is acceptable. Auditors read it; it is kept. */
            reason: string;
        };
        /** @description The body of: Accept the fact behind an open circuit breaker. */
        AcceptCircuitBreakerBody: {
            /** @description Strategy. */
            strategyId: number;
            /**
             * @description `price_fall`: the share price fell. `depeg`: the token is off its peg. `illiquidity`: too little of the position can be withdrawn. `upgrade`: the code of a contract was replaced.
             * @enum {string}
             */
            kind: "price_fall" | "depeg" | "illiquidity" | "upgrade";
            /** @description The `observation` of the breaker, or of its event, that you reviewed. Always send it. */
            observation?: string;
        };
        /** @description The body of: Accept an invitation. */
        AcceptMemberInvitationBody: {
            /** @description The token from the email. */
            token: string;
            /** @description Your display name. */
            name?: string;
            /** @description Your new password, 12 to 1024 characters. */
            password: string;
            /** @description Whether to take the address over from an account that never proved it. That account keeps everything but the address. False by default. */
            takeAddress?: boolean;
        };
        /** @description A user and their organization. */
        Account: {
            user: components["schemas"]["SignedInUser"];
            organization: components["schemas"]["Organization"];
        };
        /** @description The body of: Add a destination. */
        AddDestinationBody: {
            /** @description Blockchain of the address. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Address. */
            address: string;
            /** @description What the address is. */
            label: string;
        };
        /** @description The body of: Add a member. */
        AddMemberBody: {
            /** @description Email address, case-insensitive. */
            email: string;
            /** @description Display name. */
            name?: string;
            role: components["schemas"]["Role"];
            /** @description A password, 12 to 1024 characters. */
            password: string;
        };
        /** @description The body of: Add a passkey. */
        AddPasskeyBody: {
            /** @description Your name for it. */
            name: string;
            passkey: components["schemas"]["PasskeyAttestation"];
        };
        /** @description A new operational wallet. */
        AddedOperationalWallet: {
            /** @description Operational wallet id. */
            id: number;
            /** @description Same as id. */
            opWalletId: number;
            /** @description Same as id. */
            managedWalletId: number;
            /** @description Whether Weir deploys the balance above the buffer automatically. */
            enableYield: boolean;
            /**
             * @description Minimum liquid balance.
             * @example 900.00
             */
            bufferAmount: string;
            /** @description Organization wallet id. */
            orgWalletId: number;
            /** @description Token symbol. */
            token: string;
            /** @description Your own metadata; null if not set. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the wallet became operational.
             */
            createdAt: string;
            /** @description Who created it; null for objects of earlier versions. */
            createdBy?: {
                /**
                 * @description A member, an API key, the service itself, or a service account.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the member or the key; null for the service. */
                id: number | null;
            } | null;
        };
        /** @description The body of: Admit a member without a password. */
        AdmitMemberBody: {
            /** @description Email address in a domain that an identity provider of the organization has. */
            email: string;
            /** @description Display name. */
            name?: string;
            role: components["schemas"]["Role"];
            /** @description Whether to take the address over from an account that never proved it. That account keeps everything but the address. False by default. */
            takeAddress?: boolean;
        };
        /** @description The body of: Advance the clocks of the embedded chains. */
        AdvanceTimeBody: {
            /** @description Number of seconds, at most one year. */
            seconds: number;
        };
        /** @description An action for your agent to carry out, leased to you. */
        AgentAction: {
            /** @description Action id. */
            id: number;
            /**
             * @description Kind of action.
             * @enum {string}
             */
            type: "CREATE_WALLET";
            /** @description Parameters of the action. */
            payload: {
                /** @description Blockchain of the wallet, in lower case. */
                blockchain: components["schemas"]["Blockchain"];
                /** @description Name of the wallet. */
                label: string;
            };
            status: components["schemas"]["CustodyActionStatus"];
            /**
             * Format: date-time
             * @description When the action was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the lease ends.
             */
            leaseExpiresAt: string;
            /** @description Proves that you hold the lease; send it with the report. */
            leaseToken: string;
            /** @description Text to sign with the new key; the signature is `result.signature`. */
            challenge: string;
        };
        /** @description The result of a poll. */
        AgentActionPoll: {
            /** @description The oldest pending action; null if there is none. */
            action: components["schemas"]["AgentAction"] | null;
        };
        /** @description The action after the report. */
        AgentActionReport: {
            action: {
                /** @description Action id. */
                id: number;
                /**
                 * @description Kind of action.
                 * @enum {string}
                 */
                type: "CREATE_WALLET";
                status: components["schemas"]["CustodyActionStatus"];
                /** @description Result that the agent reported; null until then. */
                result: {
                    /** @description Address of the new wallet. */
                    address?: string;
                    /** @description Identifier of the key in the custody system. */
                    signatureId?: string;
                    /** @description Why it failed. */
                    error?: string;
                } | null;
            };
        };
        /** @description Approvals of the operation that people signed with their passkeys. */
        AgentApproval: {
            content: components["schemas"]["ApprovalContent"];
            /** @description WebAuthn assertions of members who may approve now. */
            signatures: {
                /** @description User id of the approver; for people. */
                userId: number;
                /** @description Credential id of the passkey. In base64url. */
                credentialId: string;
                /** @description The statement of the authenticator: relying party, flags and counter. In base64url. */
                authenticatorData: string;
                /** @description What the browser signed for: type, challenge and origin. In base64url. */
                clientDataJSON: string;
                /** @description Signature over both. In base64url. */
                signature: string;
            }[];
        };
        /** @description An extended lease. */
        AgentLease: {
            /** @description Transaction id. */
            id: number;
            /**
             * Format: date-time
             * @description When the lease began.
             */
            claimedAt: string;
            /**
             * Format: date-time
             * @description When the lease ends now.
             */
            leaseExpiresAt: string;
            /** @description Unchanged. */
            leaseToken: string;
        };
        /** @description A transaction to sign, leased to you. */
        AgentTransaction: {
            /** @description Transaction id; on Solana the memo contains it. */
            id: number;
            /** @description Operation that the transaction belongs to. */
            operationId: number;
            /** @description Unsigned bytes: hex on EVM chains, base64 on Solana. */
            unsignedTx: string;
            /** @description What the transaction does. Verify the bytes against it before you sign. */
            metadata: {
                /** @description Chain, in lower case. */
                blockchain: components["schemas"]["Blockchain"];
                /** @description Wallet id. */
                walletId: number;
                /** @description Address of the wallet. It signs, pays the fees, and is the only recipient. */
                walletAddress: string;
                /** @description Operational wallet id; null if the wallet is not operational for this token. */
                opWalletId: number | null;
                /** @description Alias of opWalletId. */
                managedWalletId: number | null;
                /**
                 * @description The operation's amount; for a full withdrawal, the current value of the position; for a revocation, the allowance.
                 * @example 900.00
                 */
                amount: string;
                /** @description Whether the whole position is withdrawn; `amount` is then an estimate. */
                full: boolean;
                /** @description Token symbol. */
                token: string;
                /** @description Type of the operation, even on its token approvals. */
                type: components["schemas"]["CoreOperationType"];
                /**
                 * @description What the step does.
                 * @enum {string}
                 */
                step: "APPROVE_TOKEN" | "SUPPLY_TO_PROVIDER" | "UNWIND_FROM_PROVIDER";
                /** @description Display name of the venue. */
                venue: string;
                /** @description Protocol identifier. */
                protocol: string;
                /** @description Strategy id. */
                strategyId: number;
                /** @description Display name of the strategy. */
                strategy: string;
                /** @description Token contract address. */
                tokenAddress: string;
                /** @description Number of decimal places of the token. */
                tokenDecimals: number;
                /** @description Addresses of the protocol by role, such as `pool` and `aToken` of Aave, `vault` of ERC-4626, `program` on Solana. */
                contracts: {
                    [key: string]: string;
                };
                /** @description The contract that a supply approves to take the tokens; null where there is no token approval. */
                spender: string | null;
                /** @description Human-readable description. */
                description: string;
            };
            /** @description Approvals that people signed; null if nobody signed. Verify them with your own list of approvers. */
            approval?: components["schemas"]["AgentApproval"] | null;
            /**
             * Format: date-time
             * @description When the lease began.
             */
            claimedAt: string;
            /**
             * Format: date-time
             * @description When the lease ends.
             */
            leaseExpiresAt: string;
            /** @description Proves that you hold the lease; send it to report and to renew. */
            leaseToken: string;
        };
        /** @description The result of a poll. */
        AgentTransactionPoll: {
            /** @description The oldest transaction that can be issued; null if there is none. */
            transaction: components["schemas"]["AgentTransaction"] | null;
        };
        /** @description A recorded report. */
        AgentTransactionReport: {
            /** @description Transaction id. */
            id: number;
            /**
             * @description The reported status.
             * @enum {string}
             */
            status: "SUBMITTED" | "FAILED";
            /** @description The reported hash; null after FAILED. */
            txHash: string | null;
            /**
             * Format: date-time
             * @description When the first report arrived.
             */
            reportedAt: string;
        };
        /** @description A wallet's open position in a strategy. */
        Allocation: {
            /** @description Strategy id; use it to unwind. */
            strategyId: number;
            /** @description Name of the strategy. */
            strategyName: string;
            /** @description Venue id. */
            venueId: number;
            /** @description Name of the venue. */
            venueName: string;
            /** @description Wallet that holds the position. */
            walletAddress: string;
            blockchain: components["schemas"]["Blockchain"];
            /** @description Symbol. */
            token: string;
            /** @description Token contract address. */
            tokenAddress: string;
            /** @description Amount deposited and not yet withdrawn. Base units of the token. */
            principal: string;
            /** @description Current value of the position, including yield. Base units of the token. */
            currentValue: string;
            /** @description currentValue minus principal; rounding can make it -1 right after a deposit. Base units of the token. */
            yieldEarned: string;
            /** @description Decimal fraction: 0.085 is 8.5%. */
            apy: number;
            /**
             * Format: date-time
             * @description When the value was last read, from the clock of the chain.
             */
            lastUpdated: string;
            /** @description What the protocol would pay out of currentValue at withdrawableAt; null: not known. Base units of the token. */
            withdrawable?: string | null;
            /** @description When withdrawable was read, from the clock of the chain; null: not known. */
            withdrawableAt?: string | null;
            awaitedWithdrawal?: components["schemas"]["AwaitedWithdrawalRecord"];
        };
        /** @description One of these events: allocation.created, allocation.closed, allocation.loss_booked, allocation.fee_booked. */
        AllocationEvent: {
            /** @description Event id; send it as `after` to continue. Ids of concurrent events may be out of order. */
            id: number;
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "allocation.created" | "allocation.closed" | "allocation.loss_booked" | "allocation.fee_booked";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["AllocationEventData"];
        };
        /** @description The allocation when the event occurred. */
        AllocationEventData: {
            /** @description Allocation id. */
            allocationId: number;
            /** @description Operational wallet id; null if the wallet is not operational for this token. */
            opWalletId: number | null;
            /** @description Alias of opWalletId. */
            managedWalletId: number | null;
            /** @description Wallet id. */
            walletId: number;
            /** @description Strategy id. */
            strategyId: number;
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /** @description Protocol of the venue. */
            protocol: string;
            /** @description Name of the venue. */
            venue: string;
            /** @description Amount deposited and not yet withdrawn. Decimal. */
            principal: string;
            /** @description Yield of what was withdrawn. Decimal. */
            realizedYield: string;
            /** @description Only of `allocation.loss_booked` and `allocation.fee_booked`: how much was lost or paid. Decimal. */
            amount?: string;
        };
        /** @description Open positions with totals. */
        AllocationList: {
            /** @description Open positions, newest first. Positions worth less than one base unit are not listed. */
            allocations: components["schemas"]["Allocation"][];
            /** @description Sum of currentValue. Base units of the token. */
            totalValue: string;
            /** @description Sum of yieldEarned. Base units of the token. */
            totalYieldEarned: string;
        };
        /** @description Totals of all wallets that the key may see. */
        AllocationSummary: {
            /** @description One entry for each token of each blockchain that was ever supplied. */
            totals: {
                blockchain: components["schemas"]["Blockchain"];
                /** @description Symbol. */
                token: string;
                /** @description Token contract address. */
                tokenAddress: string;
                /** @description Number of open positions. */
                openPositions: number;
                /** @description Amount deposited and not yet withdrawn. Base units of the token. */
                principal: string;
                /** @description Current value of the open positions, including yield. Base units of the token. */
                currentValue: string;
                /** @description currentValue minus principal. Base units of the token. */
                yieldEarned: string;
                /** @description Yield since the first deposit, realized and unrealized, closed positions included; negative for a loss. Base units of the token. */
                lifetimeYield: string;
            }[];
        };
        /** @description One of these events: allocation.created, allocation.closed, allocation.loss_booked, allocation.fee_booked. */
        AllocationWebhookEvent: {
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "allocation.created" | "allocation.closed" | "allocation.loss_booked" | "allocation.fee_booked";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["AllocationEventData"];
        };
        /** @description An amount of a token. */
        Amount: {
            /**
             * @description Decimal amount.
             * @example 900.00
             */
            amount: string;
            /**
             * @description Token symbol.
             * @example USDC
             */
            currency: string;
        };
        /** @description An API key without its value. */
        ApiKey: {
            /** @description Key id. */
            id: number;
            /** @description Descriptive label. */
            name: string;
            /**
             * @description organization: agent endpoints, reads on core, and every wallet on v1. profile: the wallets of one profile on v1. admin: read-only access to everything on v1.
             * @enum {string}
             */
            scope: "organization" | "profile" | "admin";
            /** @description The wallet profile of a profile-scoped key; null for other scopes. */
            walletProfileId: number | null;
            /** @description Prefix and last four characters of the key. */
            keyPreview: string;
            /**
             * Format: date-time
             * @description When the key was generated.
             */
            createdAt: string;
            /** @description The user who generated the key; null for keys of earlier versions. */
            createdBy: number | null;
            /** @description What the key may do; null: everything that its scope allows. */
            permissions: components["schemas"]["KeyPermission"][] | null;
            /** @description Networks in CIDR notation that the key may be used from; null: any. */
            allowedAddresses: string[] | null;
            /** @description When the key expires; null: never. */
            expiresAt: string | null;
            /** @description When the key was last used, accurate to about a second; null if never. */
            lastUsedAt: string | null;
            /** @description The address that the key was last used from; null if never, or last used before addresses were recorded. */
            lastUsedAddress: string | null;
        };
        /** @description Whether an API key is valid. */
        ApiKeyValidity: {
            /** @description Whether the key works here. */
            valid: boolean;
            /** @description Human-readable explanation. */
            message: string;
            /**
             * @description Scope of the key. Only if it is valid.
             * @enum {string}
             */
            scope?: "organization" | "profile" | "admin";
            /** @description What the key may do: its own permissions, or everything of its scope. Only if it is valid. */
            permissions?: components["schemas"]["KeyPermission"][];
        };
        /** @description What approvers sign of an operation. */
        ApprovalContent: {
            /**
             * @description An approval of the sandbox does not count in live.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /** @description Organization id. */
            organizationId: number;
            /** @description Operation id. */
            operationId: number;
            /** @description Wallet id. */
            walletId: number;
            /** @description Address of the wallet. It signs, pays, and is the only receiver. */
            walletAddress: string;
            /** @description Chain, in lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Type of the operation. */
            type: components["schemas"]["CoreOperationType"];
            /** @description Address of the token. */
            token: string;
            /** @description Base units, decimal; `all` for a full withdrawal. */
            amount: string;
            /** @description Address of the venue: Aave's pool, the vault, Kamino's reserve, or Jupiter Lend's market. */
            venue: string;
            /**
             * Format: date-time
             * @description When the operation was planned.
             */
            plannedAt: string;
        };
        /** @description How operations are approved. */
        ApprovalPolicy: {
            /**
             * @description automatic: no operation needs approval. manual: every operation needs approval. conditional: the first matching rule decides, otherwise the default.
             * @enum {string}
             */
            mode: "automatic" | "manual" | "conditional";
            /** @description Rules in order of precedence; used only in mode conditional. */
            rules: components["schemas"]["PolicyRule"][];
            /**
             * @description Outcome if no rule matches.
             * @enum {string}
             */
            default: "require_approval" | "approve";
            /** @description Number of different users who must approve an operation that needs approval. */
            requiredApprovals: number;
            /** @description Whether the user who requested an operation may approve it. False by default: others must approve, unless fewer other members may approve than approvals are required. True for policies that were set before this field existed. */
            requesterMayApprove?: boolean;
        };
        /** @description The policy to put in force. */
        ApprovalPolicyChange: {
            /**
             * @description automatic: no operation needs approval. manual: every operation needs approval. conditional: the first matching rule decides, otherwise the default.
             * @enum {string}
             */
            mode: "automatic" | "manual" | "conditional";
            /** @description Rules in order of precedence; used only in mode conditional. */
            rules: components["schemas"]["PolicyRule"][];
            /**
             * @description Outcome if no rule matches.
             * @enum {string}
             */
            default: "require_approval" | "approve";
            /** @description Number of different users who must approve an operation that needs approval. */
            requiredApprovals: number;
            /** @description Whether the user who requested an operation may approve it. False by default: others must approve, unless fewer other members may approve than approvals are required. True for policies that were set before this field existed. */
            requesterMayApprove?: boolean;
            /** @description `version` of what you change. If it differs from the version in force, the request fails with 409 CONFLICT (`details.reason` `changed_meanwhile`). */
            basedOnVersion?: number;
        };
        /** @description A version of the approval policy, with its author and time. */
        ApprovalPolicyVersion: {
            /**
             * @description automatic: no operation needs approval. manual: every operation needs approval. conditional: the first matching rule decides, otherwise the default.
             * @enum {string}
             */
            mode: "automatic" | "manual" | "conditional";
            /** @description Rules in order of precedence; used only in mode conditional. */
            rules: components["schemas"]["PolicyRule"][];
            /**
             * @description Outcome if no rule matches.
             * @enum {string}
             */
            default: "require_approval" | "approve";
            /** @description Number of different users who must approve an operation that needs approval. */
            requiredApprovals: number;
            /** @description Whether the user who requested an operation may approve it. False by default: others must approve, unless fewer other members may approve than approvals are required. True for policies that were set before this field existed. */
            requesterMayApprove: boolean;
            /** @description Version number, incremented on each change; 0 if no policy has been set yet. */
            version: number;
            /** @description False if the stored policy cannot be parsed; every operation then needs one approval. */
            readable: boolean;
            /** @description When this version was set; null for version 0. */
            updatedAt: string | null;
            /** @description User who set this version; null for version 0. */
            updatedBy: {
                /** @description User id. */
                id: number;
                /** @description Email address. */
                email: string;
                /** @description Display name; null if not set. */
                name: string | null;
            } | null;
        };
        /** @description What an approver signs. */
        ApprovalSignatureRequest: {
            /** @description Whether an approval without a signature is refused. */
            required: boolean;
            content: components["schemas"]["ApprovalContent"];
            /** @description What the approver signs. Show it to them. */
            text: string;
            /** @description The options for the browser; null if you have no passkey. */
            passkey: components["schemas"]["PasskeyRequest"] | null;
        };
        /** @description The body of: Approve a change request. */
        ApproveChangeRequestBody: {
            /** @description The reason for your decision. Auditors read it, and the audit log keeps it permanently: name no private persons. */
            reason?: string;
            /**
             * @description Address of the evidence, such as an invoice or a ticket. Nobody fetches it.
             * @example https://files.example/invoices/1042.pdf
             */
            link?: string;
            /** @description SHA-256 of the evidence, lower-case hex: proves later that a file is the one you decided by. */
            fileSha256?: string;
        };
        /** @description The body of: Approve an operation. */
        ApproveOperationBody: {
            /** @description The reason for your decision. Auditors read it, and the audit log keeps it permanently: name no private persons. */
            reason?: string;
            /**
             * @description Address of the evidence, such as an invoice or a ticket. Nobody fetches it.
             * @example https://files.example/invoices/1042.pdf
             */
            link?: string;
            /** @description SHA-256 of the evidence, lower-case hex: proves later that a file is the one you decided by. */
            fileSha256?: string;
            /** @description SHA-256 of the calls that you saw in `steps`; see the docs on approvals. The audit log keeps it. */
            callsHash?: string;
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        /** @description Who did what to which object, when, and from where. */
        AuditEntry: {
            /** @description Sequence number of the entry in the organization: 1, 2, 3, without gaps. */
            id: number;
            /**
             * Format: date-time
             * @description When the action occurred.
             */
            at: string;
            /** @description Who performed the action. */
            actor: {
                /**
                 * @description A member, an API key, the service itself, or a service account.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the member or the key; null for the service. */
                id: number | null;
                /** @description Current email address of the member or name of the key; not part of the hash chain. */
                name: string | null;
            };
            /**
             * @description The `operationId` of the request in this reference.
             * @example changeApprovalPolicy
             */
            action: string;
            /** @description The object of the action. */
            object: {
                /**
                 * @description Type of the object.
                 * @example approval_policy
                 */
                type: string;
                /** @description Object id; null if it has none. */
                id: number | null;
            };
            /** @description The network address that the request came from; null for the service. */
            from: string | null;
            /** @description Further details, never secrets; null if there are none. */
            details: {
                [key: string]: unknown;
            } | null;
            /** @description Hash of the previous entry; 64 zeros for the first. */
            previousHash: string;
            /** @description SHA-256 of all fields above, including the previous hash, except the name of the actor. */
            hash: string;
        };
        /** @description A page of the audit log. */
        AuditLogPage: {
            /** @description Newest first. */
            entries: components["schemas"]["AuditEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A withdrawal that could not be paid at once. Weir withdraws the rest as it comes free. */
        AwaitedWithdrawal: {
            /** @description What was requested; null: the whole position. */
            amount: string | null;
            /**
             * @description What its completed operations paid.
             * @example 900.00
             */
            fetched: string;
            /**
             * @description Amount still to be paid, including what an unfinished operation is withdrawing.
             * @example 900.00
             */
            rest: string;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            requestedAt: string;
        };
        /** @description Only for operational wallets: a withdrawal that the strategy could not pay at once. Weir withdraws the rest as it comes free. Absent if none is awaited. */
        AwaitedWithdrawalRecord: {
            /** @description What was requested; null: the whole position. Base units of the token. */
            amount: string | null;
            /** @description What was withdrawn of it so far. Base units of the token. */
            fetched: string;
            /** @description Amount still to be withdrawn, including what an unfinished operation is withdrawing. Base units of the token. */
            rest: string;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            requestedAt: string;
        };
        /** @description What the ledger showed at a moment. */
        BalancesAt: {
            /**
             * Format: date-time
             * @description The requested moment.
             */
            at: string;
            /** @description Of all wallets, not only this page, in USD; every stablecoin counts as 1 USD. */
            summary: {
                /**
                 * @description Sum of available, reserved, deployed and exiting. Also netInflow plus yieldEarned.
                 * @example 900.00
                 */
                totalBalance: string;
                /**
                 * @description In the wallet, available for use.
                 * @example 900.00
                 */
                availableBalance: string;
                /**
                 * @description Reserved for operations that were unfinished.
                 * @example 900.00
                 */
                reservedBalance: string;
                /**
                 * @description Posted value of its positions, with the yield that was posted until then.
                 * @example 900.00
                 */
                deployedBalance: string;
                /**
                 * @description Requested back from strategies, and not claimed.
                 * @example 900.00
                 */
                exitingBalance: string;
                /**
                 * @description Inflows from outside minus outflows; may be negative.
                 * @example 900.00
                 */
                netInflow: string;
                /**
                 * @description Yield posted since the first deposit; may be negative.
                 * @example 900.00
                 */
                yieldEarned: string;
                /** @description By blockchain and token, in units of the token. */
                byToken: components["schemas"]["TokenBalancesAt"][];
            };
            /** @description The page: newest wallet first. Wallets that had posted nothing are left out. */
            wallets: components["schemas"]["WalletBalancesAt"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The body of: Start to add a passkey. */
        BeginPasskeyBody: {
            /** @description Your current password. */
            currentPassword?: string;
        };
        /** @description The body of: Add an authenticator app. */
        BeginTotpBody: {
            /** @description Your current password. */
            currentPassword?: string;
        };
        /**
         * @description Blockchain, lower case.
         * @enum {string}
         */
        Blockchain: "solana" | "polygon" | "ethereum" | "base";
        /** @description A submitted transaction. */
        BlockchainTransaction: {
            /** @description Transaction id. */
            id: number;
            /** @description Transaction hash, even while pending. */
            txHash: string;
            /**
             * @description What the transaction does.
             * @enum {string}
             */
            type: "APPROVE" | "SUPPLY" | "UNWIND";
            /**
             * @description CONFIRMED: final on the chain.
             * @enum {string}
             */
            status: "PENDING" | "CONFIRMED" | "FAILED";
            amount: components["schemas"]["Amount"];
            /** @description The block that includes it, or did before a reorganization; absent if none has. */
            blockNumber?: number;
            /** @description submittedAt: when the signed transaction was submitted; absent if never. */
            timestamps: {
                submittedAt?: components["schemas"]["DualTime"];
                /** @description When the transaction was first seen on the network; null until then. */
                detectedAt: components["schemas"]["DualTime"] | null;
                /** @description When the transaction became final; null until then. */
                confirmedAt: components["schemas"]["DualTime"] | null;
            };
        };
        /** @description One of these events: break.opened, break.accepted, break.closed. */
        BreakEvent: {
            /** @description Event id; send it as `after` to continue. Ids of concurrent events may be out of order. */
            id: number;
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "break.opened" | "break.accepted" | "break.closed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["BreakEventData"];
        };
        /** @description The break when the event occurred. */
        BreakEventData: {
            /** @description Break id. */
            breakId: number;
            /** @description Wallet id. */
            walletId: number;
            /** @description Address of the wallet. */
            walletAddress: string;
            blockchain: components["schemas"]["Blockchain"];
            /** @description Address of the token. */
            tokenAddress: string;
            /** @description Base units that the ledger shows and the chain does not; for a closed break, the last amount. */
            amountBaseUnits: string;
        };
        /** @description One of these events: break.opened, break.accepted, break.closed. */
        BreakWebhookEvent: {
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "break.opened" | "break.accepted" | "break.closed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["BreakEventData"];
        };
        /** @description One of these events: strategy.breaker_opened, strategy.breaker_closed. */
        BreakerEvent: {
            /** @description Event id; send it as `after` to continue. Ids of concurrent events may be out of order. */
            id: number;
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "strategy.breaker_opened" | "strategy.breaker_closed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["BreakerEventData"];
        };
        /** @description A circuit breaker that opened or closed, or one that is open and whose fact became worse. */
        BreakerEventData: {
            /** @description Strategy id. */
            strategyId: number;
            /** @description Name of the strategy. */
            strategy: string;
            /**
             * @description Kind of the breaker.
             * @enum {string}
             */
            breaker: "price_fall" | "depeg" | "illiquidity" | "upgrade";
            /**
             * @description State of the breaker.
             * @enum {string}
             */
            state: "closed" | "open" | "recovering" | "accepted";
            /** @description What was measured, a percentage; null for an upgrade. */
            measure: string | null;
            /** @description What an acceptance of this fact names; null if a previous version opened the breaker. */
            observation?: string | null;
            /** @description Why it opened, as a text for people. */
            reason?: string;
        };
        /** @description One of these events: strategy.breaker_opened, strategy.breaker_closed. */
        BreakerWebhookEvent: {
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "strategy.breaker_opened" | "strategy.breaker_closed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["BreakerEventData"];
        };
        /** @description The body of: Broadcast a signed transaction. */
        BroadcastTransactionBody: {
            /** @description EVM: hex with or without 0x, or base64. Solana: base64. */
            signedTransaction: string;
            /** @description Token of your lease. Required if the transaction was leased more than once. */
            leaseToken?: string;
        };
        /** @description The session of this browser. */
        BrowserSession: {
            user: components["schemas"]["SignedInUser"];
            organization: components["schemas"]["Organization"];
            /**
             * @description Whether the service moves test money or real money.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /** @description What the page sends in `X-Weir-Csrf` with every request that changes something; null without a cookie. */
            csrfToken: string | null;
            /** @description The second factors that you have. A recovery code replaces any of them. */
            factors: ("totp" | "passkey")[];
            /** @description Whether the user must set a new password first. */
            passwordChangeRequired: boolean;
            /** @description Whether the user must enrol a second factor first. */
            enrollmentRequired: boolean;
        };
        /** @description The settings of an operational wallet. */
        BufferSettings: {
            /** @description Operational wallet id. */
            id: number;
            /** @description Same as id. */
            opWalletId: number;
            /** @description Same as id. */
            managedWalletId: number;
            /** @description Whether Weir deploys the balance above the buffer automatically. */
            enableYield: boolean;
            /**
             * @description Minimum liquid balance.
             * @example 900.00
             */
            bufferAmount: string;
            /**
             * Format: date-time
             * @description When the settings were changed.
             */
            updatedAt: string;
        };
        /** @description The operation was cancelled. */
        CancelledOperation: {
            /** @description Operation id. */
            operationId: number;
            /**
             * @description Always CANCELLED. When read later, the operation has status FAILED and failureReason CANCELLED.
             * @constant
             */
            status: "CANCELLED";
            /**
             * @description Always true.
             * @constant
             */
            success: true;
        };
        /** @description The current setting of a fault. */
        ChainFault: {
            blockchain: components["schemas"]["Blockchain"];
            /**
             * @description Kind of fault.
             * @enum {string}
             */
            fault: "rpc_down" | "drop_next" | "revert_next" | "delay_next" | "simulation_fails";
            /** @description How many times the fault will occur. */
            count: number;
        };
        /** @description The time on the embedded chains. */
        ChainsTime: {
            /**
             * Format: date-time
             * @description Current time of the embedded chains.
             */
            now: string;
        };
        /** @description The body of: Change the settings of an operational wallet. */
        ChangeBufferSettingsBody: {
            /** @description Whether Weir deploys the balance above the buffer automatically. */
            enableYield?: boolean;
            /**
             * @description Minimum liquid balance, a decimal amount of the token.
             * @example 1000.00
             */
            bufferAmount?: string;
            /**
             * Format: date-time
             * @description `updatedAt` of the settings that you change. If it differs from the current value, the request fails with 409 CONFLICT (`details.reason` `changed_meanwhile`).
             */
            basedOnUpdatedAt?: string;
        };
        /** @description The body of: Change the change policy. */
        ChangeChangePolicyBody: {
            /** @description The rule of each kind of change. `approval_policy`: The approval policy for operations, the limits on deposits, the caps on strategies, and the circuit breakers. `change_policy`: This policy. A change of it always needs the most approvals and the longest period that any kind needs. `members`: Adding, inviting and removing a member, changing a role, setting the password and removing the second factors of another member, requiring second factors or lifting that, and adding and changing an identity provider. `keys`: Generating and rotating API keys. `webhooks`: Creating a webhook and changing its URL. `payout_accounts`: Creating and changing recipients, and opening off-ramp accounts. `onramp_destinations`: Opening on-ramp accounts, whose payments arrive in a wallet. `destinations`: The allow-list of destinations. */
            rules: {
                approval_policy?: components["schemas"]["ChangeRule"];
                change_policy?: components["schemas"]["ChangeRule"];
                members?: components["schemas"]["ChangeRule"];
                keys?: components["schemas"]["ChangeRule"];
                webhooks?: components["schemas"]["ChangeRule"];
                payout_accounts?: components["schemas"]["ChangeRule"];
                onramp_destinations?: components["schemas"]["ChangeRule"];
                destinations?: components["schemas"]["ChangeRule"];
            };
            /** @description `version` of what you change. If it differs from the version in force, the request fails with 409 CONFLICT (`details.reason` `changed_meanwhile`). */
            basedOnVersion?: number;
        };
        /** @description The body of: Change your email address. */
        ChangeEmailBody: {
            /** @description Email address, case-insensitive. */
            email: string;
            /** @description Your current password. */
            currentPassword: string;
        };
        /** @description The body of: Change a member. */
        ChangeMemberBody: {
            /** @description Display name; null clears it. */
            name?: string | null;
            role?: components["schemas"]["Role"];
            /** @description A password, 12 to 1024 characters. */
            password?: string;
        };
        /** @description The body of: Change your password. */
        ChangePasswordBody: {
            /** @description Your current password. */
            currentPassword: string;
            /** @description Your new password, 12 to 1024 characters. */
            newPassword: string;
        };
        /** @description Which changes of the configuration need approvals, and a cooling-off period. */
        ChangePolicy: {
            /** @description The rule of each kind of change. `approval_policy`: The approval policy for operations, the limits on deposits, the caps on strategies, and the circuit breakers. `change_policy`: This policy. A change of it always needs the most approvals and the longest period that any kind needs. `members`: Adding, inviting and removing a member, changing a role, setting the password and removing the second factors of another member, requiring second factors or lifting that, and adding and changing an identity provider. `keys`: Generating and rotating API keys. `webhooks`: Creating a webhook and changing its URL. `payout_accounts`: Creating and changing recipients, and opening off-ramp accounts. `onramp_destinations`: Opening on-ramp accounts, whose payments arrive in a wallet. `destinations`: The allow-list of destinations. */
            rules: {
                approval_policy: components["schemas"]["ChangeRule"];
                change_policy: components["schemas"]["ChangeRule"];
                members: components["schemas"]["ChangeRule"];
                keys: components["schemas"]["ChangeRule"];
                webhooks: components["schemas"]["ChangeRule"];
                payout_accounts: components["schemas"]["ChangeRule"];
                onramp_destinations: components["schemas"]["ChangeRule"];
                destinations: components["schemas"]["ChangeRule"];
            };
            /** @description Version number; 0 before a policy was set. */
            version: number;
            /** @description When the policy was set; null before. */
            updatedAt: string | null;
            /** @description The user who set the policy; null before, and if the operator of the host reset it. */
            updatedBy: {
                /** @description User id. */
                id: number;
                /** @description Email address. */
                email: string;
                /** @description Display name; null if not set. */
                name: string | null;
            } | null;
        };
        /** @description The body of: Change a recipient. */
        ChangeRecipientBody: {
            /** @description Name of the recipient. */
            name?: string;
            /** @description Your own id for the recipient; unique in your organization. */
            external_id?: string | null;
            /** @description Postal address; required to open off-ramp accounts. */
            address?: {
                /** @description Street and number. */
                street1: string;
                /** @description Second address line. */
                street2?: string;
                /** @description City. */
                city: string;
                /** @description State or region. */
                region?: string;
                /** @description Postal code. */
                postal_code?: string;
                /** @description ISO 3166 two-letter country code. Defaults to US. */
                country?: string;
            } | null;
        };
        /** @description A change that was requested and that others must approve. */
        ChangeRequest: {
            /** @description Change request id. */
            id: number;
            /**
             * @description Kind of change.
             * @enum {string}
             */
            kind: "approval_policy" | "change_policy" | "members" | "keys" | "webhooks" | "payout_accounts" | "onramp_destinations" | "destinations";
            /** @description The `operationId` of the request, such as `addMember`. */
            action: string;
            /** @description The action in words. */
            summary: string;
            /** @description The request that would make the change. */
            request: {
                /** @description HTTP method. */
                method: string;
                /** @description Path. */
                path: string;
                /** @description Body, with secrets masked and without unknown fields. */
                body: {
                    [key: string]: unknown;
                };
            };
            /**
             * @description requested: waits for approvals. approved: its requester can complete it from `earliestAt`. completed: the change was made. rejected, cancelled, expired: it never will be.
             * @enum {string}
             */
            status: "requested" | "approved" | "rejected" | "cancelled" | "expired" | "completed";
            /** @description Who made the request. Only they can complete it. */
            requestedBy: {
                /**
                 * @description A member, an API key or a service account.
                 * @enum {string}
                 */
                type: "user" | "key" | "service_account";
                /** @description Id of the user, the API key or the service account. */
                id: number;
                /** @description Email address of the member, or name of the key or service account. */
                name: string | null;
            };
            /** @description User id of the member whom the change is about, who cannot reject it; null if it is about no member. */
            concernedUserId: number | null;
            /** @description The member whom the change is about, as they are now; null if it is about no member. */
            concernedMember: {
                /** @description User id. */
                id: number;
                /** @description Email address. Admins cannot change it: trust it rather than the name. */
                email: string;
                /** @description Display name as it is now; null if there is none. */
                name: string | null;
            } | null;
            /** @description Approvals that count now. */
            approvals: number;
            /** @description Approvals that are needed. */
            requiredApprovals: number;
            /** @description Decisions of members, in their order. */
            decisions: {
                /** @description User id. */
                userId: number;
                /** @description Email address of the member. */
                email: string;
                /**
                 * @description What the member decided.
                 * @enum {string}
                 */
                decision: "approve" | "reject";
                /** @description Whether the decision counts: the member is still there and may approve this change. */
                counts: boolean;
                /** @description Reason that the member gave; absent if none. */
                reason?: string;
                /**
                 * @description Address of the evidence; absent if there is none.
                 * @example https://files.example/invoices/1042.pdf
                 */
                link?: string;
                /** @description SHA-256 of the evidence; absent if there is none. */
                fileSha256?: string;
                /**
                 * Format: date-time
                 * @description When the member decided.
                 */
                at: string;
            }[];
            /** @description How long the change waits after the last approval. */
            coolingOffSeconds: number;
            /**
             * Format: date-time
             * @description When the change was requested.
             */
            createdAt: string;
            /** @description When the approvals were complete; null until then. */
            approvedAt: string | null;
            /** @description The earliest time at which the change can be completed; null until it is approved. */
            earliestAt: string | null;
            /**
             * Format: date-time
             * @description When the request expires, unless it ends before.
             */
            expiresAt: string;
            /** @description When the request ended; null while it is open. */
            endedAt: string | null;
        };
        /** @description What a change needs. With both fields 0 it is made at once. */
        ChangeRule: {
            /** @description Different members, besides the requester, who must approve. */
            requiredApprovals: number;
            /** @description How long the change waits after the last approval. */
            coolingOffSeconds: number;
        };
        /** @description The body of: Change a saved view. */
        ChangeSavedViewBody: {
            /** @description Name of the view; each member uses a name once on a page. */
            name?: string;
            /**
             * @description Filters of the page: the part of its address after the question mark, encoded.
             * @example tab=history&status=FAILED
             */
            query?: string;
            /** @description Whether every member of the organization sees it, or only its creator. */
            shared?: boolean;
        };
        /** @description The body of: Change a wallet. */
        ChangeWalletBody: {
            /** @description Your own user or account id, for wallets that belong together. */
            userId?: string | null;
            /** @description Your own metadata. */
            orgMetadata?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The body of: Change a wallet profile. */
        ChangeWalletProfileBody: {
            /** @description Name of the profile. */
            name?: string;
            /** @description Blockchains on which wallets can be registered and operations planned. */
            enabledChains?: components["schemas"]["Blockchain"][];
            /** @description How long an unsigned plan stays valid, in seconds, 30 to 3600. */
            operationTimeoutSeconds?: number;
        };
        /** @description The body of: Change a webhook. */
        ChangeWebhookBody: {
            /** @description Where to send events. */
            url?: string;
            /** @description Event names, or ["*"]. */
            events?: string[];
            /** @description Human-readable description. */
            description?: string | null;
            /** @description Whether events are sent. */
            enabled?: boolean;
        };
        /** @description A circuit breaker of the organization and a strategy. */
        CircuitBreaker: {
            /** @description Strategy. */
            strategyId: number;
            /** @description Name of the strategy. */
            strategyName: string;
            /**
             * @description `price_fall`: the share price fell. `depeg`: the token is off its peg. `illiquidity`: too little of the position can be withdrawn. `upgrade`: the code of a contract was replaced.
             * @enum {string}
             */
            kind: "price_fall" | "depeg" | "illiquidity" | "upgrade";
            /**
             * @description `open` stops deposits. `recovering` does too: the fact is fine again, but not yet for long enough. `accepted`: somebody accepted the fact, and deposits continue.
             * @enum {string}
             */
            state: "closed" | "open" | "recovering" | "accepted";
            /** @description When it was last announced or changed its state: the fall of the price, the distance from 1 US dollar, or the share of the position that could be withdrawn. Null for an upgrade. */
            measure: string | null;
            /** @description What it announced last, which an acceptance names: the measure, or a fingerprint of the contracts and their code. Another one means that the fact became worse. Null until it is announced. */
            observation: string | null;
            /** @description When it last opened. */
            openedAt: string | null;
            /** @description When the fact became fine again; null unless `recovering`. */
            fineSince: string | null;
        };
        /** @description Settings of the circuit breakers, and those that are not closed. */
        CircuitBreakers: {
            /** @description Opens when the share price is more than this below its highest daily reading of 30 days; null: off. */
            maxPriceFall: string | null;
            /** @description Opens when the price of the token deviates from 1 US dollar by more than this; null: off. */
            maxPegDistance: string | null;
            /** @description Opens when less than this share of the position can be withdrawn; null: off. */
            minWithdrawableShare: string | null;
            /** @description Whether new code at a contract of the strategy opens a breaker. */
            onUpgrade: boolean;
            /** @description Whether the rebalancer withdraws everything from a strategy while a breaker of it is open. */
            withdraw: boolean;
            /**
             * @description How long the fact must be fine before its breaker closes without a person.
             * @default 86400
             */
            recoverySeconds: number;
            /** @description When the settings were set; null if never: all are off. */
            updatedAt: string | null;
            /** @description The breakers that are not closed, by strategy. */
            breakers: components["schemas"]["CircuitBreaker"][];
        };
        /** @description The body of: Claim an email domain. */
        ClaimSsoDomainBody: {
            /**
             * @description The part of email addresses after the @. Each subdomain is a separate domain.
             * @example acme.example
             */
            domain: string;
        };
        /** @description The body of: Complete a sign-in with a second factor. */
        CompleteLogInBody: {
            /** @description From the response of the sign-in. */
            challengeToken: string;
            /** @description The current code of your authenticator app. */
            totp?: string;
            /** @description One of your recovery codes; it works once. */
            recoveryCode?: string;
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        /** @description The body of: Confirm an email address. */
        ConfirmEmailVerificationBody: {
            /** @description The token from the email. */
            token: string;
            /** @description The password of the account. */
            password: string;
            /** @description Whether to take the address over from an account that never proved it. That account keeps everything but the address. False by default. */
            takeAddress?: boolean;
        };
        /** @description The body of: Reset a password. */
        ConfirmPasswordResetBody: {
            /** @description The token from the email. */
            token: string;
            /** @description Your new password, 12 to 1024 characters. */
            newPassword: string;
        };
        /** @description The body of: Confirm a registration. */
        ConfirmRegistrationBody: {
            /** @description The token from the email. */
            token: string;
            /** @description The password of the registration. */
            password: string;
            /** @description Whether to take the address over from an account that never proved it. That account keeps everything but the address. False by default. */
            takeAddress?: boolean;
        };
        /** @description The body of: Confirm an authenticator app. */
        ConfirmTotpBody: {
            /** @description The current code. */
            code: string;
        };
        /** @description A wallet's position in a strategy. */
        CoreAllocation: {
            /** @description Allocation id. */
            id: number;
            /** @description Operational wallet id; null if the wallet is not operational for this token. */
            opWalletId: number | null;
            /** @description Alias of opWalletId. */
            managedWalletId: number | null;
            /** @description Strategy. */
            strategyId: number;
            /** @description Name of the strategy. */
            strategy?: string;
            /** @description Token symbol. */
            token: string;
            /** @description Protocol identifier. */
            protocol: string;
            /** @description Name of the venue. */
            venue: string;
            /**
             * @description Amount deposited and not yet withdrawn.
             * @example 900.00
             */
            allocatedBase: string;
            /**
             * @description Current value, including yield.
             * @example 900.00
             */
            currentValue: string;
            /**
             * @description currentValue minus allocatedBase; rounding can make it negative right after a deposit.
             * @example 900.00
             */
            yieldEarned: string;
            /** @description What the protocol would pay out of currentValue at withdrawableAt; null: not known. */
            withdrawable?: string | null;
            /** @description When withdrawable was read, from the clock of the chain; null: not known. */
            withdrawableAt?: string | null;
            awaitedWithdrawal?: components["schemas"]["AwaitedWithdrawal"];
            /**
             * @description Current rate of the strategy.
             * @example 6.00%
             */
            apy: string;
            /**
             * @description UNWINDING from when a withdrawal is planned until it ends. CLOSED when the position is empty.
             * @enum {string}
             */
            status: "ACTIVE" | "UNWINDING" | "CLOSED";
            /**
             * Format: date-time
             * @description When the position was opened, from the clock of the chain.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the value was last read, from the clock of the chain.
             */
            lastUpdatedAt: string;
            /** @description Organization wallet id. */
            walletId?: number;
            /** @description Address of the wallet. */
            walletAddress?: string;
            /** @description Label of the wallet; its shortened address by default. */
            walletLabel?: string;
            /** @description Blockchain, lower case. */
            blockchain?: components["schemas"]["Blockchain"];
        };
        /** @description An allocation in detail. */
        CoreAllocationDetail: {
            /** @description Allocation id. */
            id: number;
            /** @description Operational wallet id; null if the wallet is not operational for this token. */
            opWalletId: number | null;
            /** @description Alias of opWalletId. */
            managedWalletId: number | null;
            /** @description Strategy. */
            strategyId: number;
            /** @description Name of the strategy. */
            strategy?: string;
            /** @description Token symbol. */
            token: string;
            /** @description Protocol identifier. */
            protocol: string;
            /** @description Name of the venue. */
            venue: string;
            /**
             * @description Amount deposited and not yet withdrawn.
             * @example 900.00
             */
            allocatedBase: string;
            /**
             * @description Current value, including yield.
             * @example 900.00
             */
            currentValue: string;
            /**
             * @description currentValue minus allocatedBase; rounding can make it negative right after a deposit.
             * @example 900.00
             */
            yieldEarned: string;
            /** @description What the protocol would pay out of currentValue at withdrawableAt; null: not known. */
            withdrawable?: string | null;
            /** @description When withdrawable was read, from the clock of the chain; null: not known. */
            withdrawableAt?: string | null;
            awaitedWithdrawal?: components["schemas"]["AwaitedWithdrawal"];
            /**
             * @description Current rate of the strategy.
             * @example 6.00%
             */
            apy: string;
            /**
             * @description UNWINDING from when a withdrawal is planned until it ends. CLOSED when the position is empty.
             * @enum {string}
             */
            status: "ACTIVE" | "UNWINDING" | "CLOSED";
            /**
             * Format: date-time
             * @description When the position was opened, from the clock of the chain.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the value was last read, from the clock of the chain.
             */
            lastUpdatedAt: string;
            /** @description The wallet that holds the position. */
            wallet: {
                /** @description Organization wallet id. */
                id: number;
                /** @description Address of the wallet. */
                address: string;
                /** @description Label of the wallet; its shortened address by default. */
                label?: string;
                /** @description Blockchain, lower case. */
                blockchain: components["schemas"]["Blockchain"];
            };
            /** @description Realized and unrealized yield up to now, from the clock of the chain; partial days count in proportion. */
            performance: {
                /**
                 * @description Earned in the last 24 hours.
                 * @example 900.00
                 */
                dailyYield: string;
                /**
                 * @description Earned in the last 7 days.
                 * @example 900.00
                 */
                weeklyYield: string;
                /**
                 * @description Earned in the last 30 days.
                 * @example 900.00
                 */
                monthlyYield: string;
            };
            /** @description Past and unfinished operations of the position, newest first, at most 100. */
            operations: components["schemas"]["OperationHistoryItem"][];
        };
        /** @description A page of allocations with the portfolio. */
        CoreAllocationList: {
            /** @description Newest first. */
            allocations: components["schemas"]["CoreAllocation"][];
            portfolioSummary: components["schemas"]["PortfolioSummary"];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description An operation, planned on either surface. */
        CoreOperation: {
            /** @description Operation id. */
            id: number;
            /** @description SUPPLY moves tokens into a strategy, UNWIND out of it. */
            type: components["schemas"]["CoreOperationType"];
            /**
             * @description Only for strategies whose withdrawals take time. request: it requests the money back. claim: it claims the money.
             * @enum {string}
             */
            exitStep?: "request" | "claim";
            /**
             * @description Only if the operation moves nothing and revokes this allowance, which an ended supply left.
             * @example 900.00
             */
            revokesAllowance?: string;
            status: components["schemas"]["CoreOperationStatus"];
            /** @description Operational wallet id; null if the wallet is not operational for this token. */
            opWalletId: number | null;
            /** @description Alias of opWalletId. */
            managedWalletId: number | null;
            /** @description The wallet of the operation. */
            opWallet: {
                /** @description Operational wallet id; null if the wallet is not operational for this token. */
                id: number | null;
                /** @description Address of the wallet. */
                address: string;
                /** @description Label of the wallet; its shortened address by default. */
                label?: string;
                /**
                 * @description Blockchain, upper case.
                 * @enum {string}
                 */
                blockchain: "SOLANA" | "POLYGON" | "ETHEREUM" | "BASE";
            };
            /** @description Organization wallet id. */
            walletId: number;
            /** @description The token of the operation. */
            token: {
                /** @description Symbol. */
                symbol: string;
                /** @description Decimals. */
                decimals: number;
                /** @description Address of the token. */
                mintAddress: string;
            };
            amount: components["schemas"]["Amount"];
            /** @description The strategy that receives or returns the money. */
            strategy: {
                /** @description Strategy id. */
                id: number;
                /** @description Name of the strategy. */
                name: string;
                /**
                 * @description Current rate of the strategy.
                 * @example 6.00%
                 */
                estimatedAPY: string;
            };
            /** @description Steps in order. */
            steps: components["schemas"]["OperationStep"][];
            /** @description Transactions that were submitted. */
            blockchainTransactions: components["schemas"]["BlockchainTransaction"][];
            /**
             * @description agent: planned by Weir and signed by your custody agent. client: planned and signed by a v1 client.
             * @enum {string}
             */
            executor: "agent" | "client";
            /**
             * @description Who requested the operation: the rebalancer, a request on core (explicit), or a request on v1 (client).
             * @enum {string}
             */
            origin: "rebalancer" | "explicit" | "client";
            /** @description Who requested the operation; null if it was planned before Weir stored this. */
            requestedBy?: {
                /**
                 * @description user: a member, on core. key: an API key, on v1. system: Weir itself, such as the rebalancer. service_account: a service account, on core.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the user, the API key or the service account; null for system. */
                id: number | null;
            } | null;
            /** @description Why this move, this strategy and this amount; null if a v1 client chose them. */
            reasons: components["schemas"]["OperationReasons"] | null;
            /** @description Number of approvals required; 0 if none. */
            requiredApprovals: number;
            /** @description Name of the approval policy rule that decided; null if none did. */
            approvalRule: string | null;
            /** @description Members' decisions, oldest first; absent if none. */
            decisions?: components["schemas"]["OperationDecision"][];
            /** @description Actual rate; null until the operation completes. */
            actualAPY: string | null;
            /** @description Why the next transaction cannot be issued to your agent now, human-readable, such as a wallet without gas; null if it can. It is re-evaluated when an agent polls. */
            pausedBecause: string | null;
            /** @description Allowance of an ended SUPPLY whose token approval landed and whose deposit did not, as the chain has it now; null if none is left. The next deposit to the same contract uses it up. */
            leftAllowance?: {
                /** @description Contract that may still take tokens from the wallet. */
                spender: string;
                amount: components["schemas"]["Amount"];
                /** @description The call with which the wallet revokes the allowance. */
                revocation: {
                    /** @description The token. */
                    to: string;
                    /** @description Call data of `approve(spender, 0)`. */
                    data: string;
                };
            } | null;
            exit?: components["schemas"]["Exit"];
            /** @description Why the operation ended without effect; null otherwise. */
            failureReason: string | null;
            /** @description Timestamps. */
            timestamps: {
                createdAt: components["schemas"]["DualTime"];
                /** @description When the last required approval arrived; null if there was none. */
                approvedAt: components["schemas"]["DualTime"] | null;
                /** @description When the operation was rejected; null otherwise. */
                rejectedAt: components["schemas"]["DualTime"] | null;
                /** @description When the operation ended; null while it is unfinished. */
                completedAt: components["schemas"]["DualTime"] | null;
            };
        };
        /**
         * @description PLANNING: created, funds reserved. PENDING_APPROVAL: waiting for approvals. EXECUTING: ready to sign. CONFIRMING: submitted, not yet final. COMPLETED: final. FAILED, REJECTED, ABORTED: ended without effect, funds released.
         * @enum {string}
         */
        CoreOperationStatus: "PLANNING" | "PENDING_APPROVAL" | "EXECUTING" | "CONFIRMING" | "COMPLETED" | "FAILED" | "REJECTED" | "ABORTED";
        /**
         * @description Type of the operation.
         * @enum {string}
         */
        CoreOperationType: "SUPPLY" | "UNWIND";
        /** @description The body of: Deploy an amount. */
        CreateCoreAllocationBody: {
            /** @description Operational wallet id. */
            opWalletId: number;
            /** @description Alias of opWalletId; one of the two is required. */
            managedWalletId?: number;
            /**
             * @description Decimal amount of the token, above zero.
             * @example 500.00
             */
            amount: string;
            /**
             * @description Token symbol, case-insensitive.
             * @example USDC
             */
            asset: string;
            /** @description Strategy to use, regardless of its cap. By default Weir chooses one within the caps. */
            strategyId?: number;
        } | {
            /** @description Operational wallet id. */
            opWalletId?: number;
            /** @description Alias of opWalletId; one of the two is required. */
            managedWalletId: number;
            /**
             * @description Decimal amount of the token, above zero.
             * @example 500.00
             */
            amount: string;
            /**
             * @description Token symbol, case-insensitive.
             * @example USDC
             */
            asset: string;
            /** @description Strategy to use, regardless of its cap. By default Weir chooses one within the caps. */
            strategyId?: number;
        };
        /** @description The body of: Create a recipient. */
        CreateRecipientBody: {
            /** @description Name of the recipient. */
            name: string;
            /**
             * @description Type of recipient.
             * @default business
             */
            type?: string;
            /** @description Your own id for the recipient; unique in your organization. */
            external_id?: string | null;
            /** @description Postal address; required to open off-ramp accounts. */
            address?: {
                /** @description Street and number. */
                street1: string;
                /** @description Second address line. */
                street2?: string;
                /** @description City. */
                city: string;
                /** @description State or region. */
                region?: string;
                /** @description Postal code. */
                postal_code?: string;
                /** @description ISO 3166 two-letter country code. Defaults to US. */
                country?: string;
            } | null;
        };
        /** @description The body of: Save a view. */
        CreateSavedViewBody: {
            /** @description Name of the view; each member uses a name once on a page. */
            name: string;
            /**
             * @description Path of the page of the dashboard.
             * @example /app/operations
             */
            path: string;
            /**
             * @description Filters of the page: the part of its address after the question mark, encoded.
             * @example tab=history&status=FAILED
             */
            query: string;
            /**
             * @description Whether every member of the organization sees it, or only its creator.
             * @default false
             */
            shared?: boolean;
        };
        /** @description The body of: Create a service account. */
        CreateServiceAccountBody: {
            /** @description Descriptive label. */
            name: string;
            role: components["schemas"]["ServiceAccountRole"];
            /** @description Addresses and networks (CIDR) that the account may be used from; from any other: 403 FORBIDDEN. Without it: any. */
            allowedAddresses?: string[];
            /**
             * Format: date-time
             * @description When the secret expires: from then on 401 UNAUTHORIZED. Must be in the future. Without it: never.
             */
            expiresAt?: string;
        };
        /** @description The body of: Add an identity provider. */
        CreateSsoProviderBody: {
            /** @description Descriptive label. */
            name: string;
            /** @description The client id that the provider issued. */
            clientId: string;
            /** @description The issuer, exactly as its discovery document names it; https, in sandbox also http. Cannot be changed. */
            issuer: string;
            /** @description The client secret that the provider issued. Stored encrypted, never returned. */
            clientSecret: string;
            /** @description The scopes to request; `openid` must be one of them. Default: `openid`, `email`, `profile`. */
            scopes?: string[];
            /** @description The claim that says whether the email address is verified. Default: `email_verified`; on Entra ID `xms_edov`. */
            verifiedEmailClaim?: string;
            /** @description The claim that gives roles, such as `groups`; a text or a list. A dot leads one level down if no claim has the whole name. null: claims give no roles. */
            roleClaim?: string | null;
            /** @description Roles by value of the role claim. If several values match, the highest role counts. */
            roleMappings?: components["schemas"]["SsoRoleMapping"][];
            /** @description The role of people whom no mapping matches. null: they are refused. Without a role claim: the role of new members; null: nobody becomes a member by signing in. */
            defaultRole?: ("admin" | "approver" | "viewer") | null;
            /** @description Whether a mapping may give the role owner, and a sign-in take it away. If false, no owner signs in here: they are refused with 403 FORBIDDEN, `details.reason` `owner_not_allowed`, and keep their passwords even where `enforced`. Default: false. */
            allowOwner?: boolean;
            /** @description Whether members with an address in `domains` must sign in here: their passwords are refused with 403 FORBIDDEN, `details.reason` `sso_required`. Default: false. */
            enforced?: boolean;
            /** @description An owner who may still sign in with a password. null: nobody, unless `allowOwner` is false: then every owner may. The operator of the host can still recover an owner. */
            breakGlassMemberId?: number | null;
            /** @description Proved domains of the organization whose members sign in here. A domain has one provider. */
            domains?: string[];
        };
        /** @description The body of: Create a wallet through your agent. */
        CreateWalletByAgentBody: {
            /** @description Blockchain of the wallet. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Name of the wallet. */
            label: string;
        };
        /** @description The body of: Create a wallet profile. */
        CreateWalletProfileBody: {
            /** @description Name of the profile. */
            name: string;
            /** @description Blockchains on which wallets can be registered and operations planned. */
            enabledChains?: components["schemas"]["Blockchain"][];
            /** @description How long an unsigned plan stays valid, in seconds, 30 to 3600. */
            operationTimeoutSeconds?: number;
        };
        /** @description The body of: Create a webhook. */
        CreateWebhookBody: {
            /** @description Where to send events. */
            url: string;
            /** @description Event names, or ["*"] for all events, including future ones. */
            events: string[];
            /** @description Human-readable description. */
            description?: string | null;
        };
        /** @description A service account with its new secret. */
        CreatedServiceAccount: {
            /** @description The new secret. Returned only once; null in an idempotent replay. */
            secret: string | null;
            /** @description Service account id. It stays the same when the secret is rotated. */
            id: number;
            /** @description Descriptive label. */
            name: string;
            role: components["schemas"]["ServiceAccountRole"];
            /** @description Networks in CIDR notation that the account may be used from; null: any. */
            allowedAddresses: string[] | null;
            /**
             * Format: date-time
             * @description When the account was created.
             */
            createdAt: string;
            /** @description The user who created the account. */
            createdBy: number;
            /** @description The secrets that work, newest first: the current one, and the one before it while both work; none once it has expired. */
            secrets: components["schemas"]["ServiceAccountSecret"][];
        };
        /** @description A new webhook with its secret. */
        CreatedWebhook: {
            /** @description Webhook id. */
            id: number;
            /** @description URL that events are sent to. */
            url: string;
            /** @description Event names, or only `*` for all events. */
            events: string[];
            /** @description Human-readable description. */
            description: string | null;
            /**
             * @description failing: a delivery ran out of attempts and none has succeeded since. disabled: nothing is sent, on request or after 3 days of failures only.
             * @enum {string}
             */
            status: "active" | "failing" | "disabled";
            /** @description Why the webhook is disabled: `asked` (on request) or `failing`; null if it is not disabled. */
            disabledBecause: ("asked" | "failing") | null;
            /** @description When the current run of failed attempts began; null after a success. */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            createdAt: string;
            /** @description Who created it; null for objects of earlier versions. */
            createdBy?: {
                /**
                 * @description A member, an API key, the service itself, or a service account.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the member or the key; null for the service. */
                id: number | null;
            } | null;
            /**
             * Format: date-time
             * @description When the webhook was last changed.
             */
            updatedAt: string;
            /** @description Secret that signs deliveries (`whsec_` and base64). Returned only once; null in an idempotent replay. */
            secret: string | null;
        };
        /** @description An action requested from your custody agent. */
        CustodyAction: {
            /** @description Action id. */
            id: number;
            /**
             * @description Kind of action.
             * @enum {string}
             */
            type: "CREATE_WALLET";
            /** @description Parameters of the action. */
            payload: {
                /** @description Blockchain of the wallet, in lower case. */
                blockchain: components["schemas"]["Blockchain"];
                /** @description Name of the wallet. */
                label: string;
            };
            status: components["schemas"]["CustodyActionStatus"];
            /** @description Result that the agent reported; null until then. */
            result: {
                /** @description Address of the new wallet. */
                address?: string;
                /** @description Identifier of the key in the custody system. */
                signatureId?: string;
                /** @description Why it failed. */
                error?: string;
            } | null;
            /** @description The new organization wallet; null until the agent reports it. */
            orgWalletId: number | null;
            /**
             * Format: date-time
             * @description When the action was requested.
             */
            createdAt: string;
            /** @description When an agent reported; null until then. */
            reportedAt: string | null;
        };
        /** @description A page of actions. */
        CustodyActionList: {
            /** @description Newest first. */
            actions: components["schemas"]["CustodyAction"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description PENDING until an agent reports; then SUCCESS or FAILED.
         * @enum {string}
         */
        CustodyActionStatus: "PENDING" | "SUCCESS" | "FAILED";
        /** @description One of these events: customer.approved, customer.declined. */
        CustomerEvent: {
            /** @description Event id; send it as `after` to continue. Ids of concurrent events may be out of order. */
            id: number;
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "customer.approved" | "customer.declined";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["CustomerEventData"];
        };
        /** @description Whose verification was decided. */
        CustomerEventData: {
            /** @description Recipient id; null for the organization itself. */
            customer_id: number | null;
            /** @description Name of the recipient or the organization; null once erased. */
            name: string | null;
        };
        /** @description One of these events: customer.approved, customer.declined. */
        CustomerWebhookEvent: {
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "customer.approved" | "customer.declined";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["CustomerEventData"];
        };
        /** @description The body of: Delete the organization. */
        DeleteOrganizationBody: {
            /** @description The organization's exact name, as a confirmation: a deletion cannot be undone. */
            name: string;
        };
        /** @description The object was deleted. */
        Deleted: {
            /**
             * @description Always true.
             * @constant
             */
            deleted: true;
        };
        /** @description What Weir may deposit on its own initiative, and where. */
        DepositLimits: {
            /** @description The only strategies that may take deposits; null: all of them. An empty list stops deposits. */
            allowedStrategies: number[] | null;
            /** @description Each counts all deposits that it covers together. */
            caps: {
                /**
                 * @description What the cap counts.
                 * @enum {string}
                 */
                kind: "strategy" | "protocol" | "blockchain";
                /**
                 * @description A strategy id; the name of a venue or a protocol identifier, on all blockchains; or a blockchain.
                 * @example Morpho
                 */
                of: string;
                /**
                 * @description Percentage of everything that the organization holds, deployed or not: 0 to 100.
                 * @example 40.00
                 */
                maxShare: string;
            }[];
            /** @description The largest share of a strategy's TVL that may be the organization's; null: no limit. */
            maxPoolShare: string | null;
            /** @description The largest position, as a percentage of what all depositors could withdraw; null: no limit. Does not apply to strategies whose `liquidity` is not known. */
            maxLiquidityShare: string | null;
            /** @description No deposit while the share price is more than this below its highest daily reading of 30 days; null: no limit. */
            maxPriceFall?: string | null;
            /** @description No deposit while less than this share of the position could be withdrawn at the last readings; null: no limit. */
            minWithdrawableShare?: string | null;
            /** @description When the organization set them; null while the defaults of the installation apply. */
            updatedAt: string | null;
        };
        /** @description An address on the allow-list of destinations. */
        Destination: {
            /** @description Destination id. */
            id: number;
            /** @description Blockchain of the address. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Address, in the blockchain's canonical spelling. */
            address: string;
            /** @description What the address is. */
            label: string;
            /** @description The user who added it. */
            createdBy: number;
            /**
             * Format: date-time
             * @description When it was added.
             */
            createdAt: string;
        };
        /** @description Whether the list is enforced. */
        DestinationEnforcement: {
            /** @description Whether tokens may be sent only to addresses on the list. False by default. */
            enforced: boolean;
        };
        /** @description The body of: Try an approval policy on past operations. */
        DryRunApprovalPolicyBody: {
            policy: components["schemas"]["ApprovalPolicy"];
            /**
             * @description Days up to now.
             * @default 30
             */
            days?: number;
        };
        /** @description A point in time in both formats. */
        DualTime: {
            /**
             * Format: date-time
             * @description ISO 8601.
             */
            iso: string;
            /** @description Seconds since 1970. */
            unix: number;
        };
        /** @description Earnings of positions in one token, by day. */
        Earnings: {
            /** @description Address of the wallet; null if the selection has several wallets or none. */
            walletAddress: string | null;
            blockchain: components["schemas"]["Blockchain"];
            /** @description Symbol. */
            token: string;
            /**
             * Format: date
             * @description First day of the period, from the clock of the chain. YYYY-MM-DD, UTC.
             */
            periodStart: string;
            /**
             * Format: date
             * @description Current day, from the clock of the chain. YYYY-MM-DD, UTC.
             */
            periodEnd: string;
            /** @description When the first position was opened, even if before the period; null if there is none. YYYY-MM-DD, UTC. */
            firstActivityDate: string | null;
            /** @description Yield in the period: the sum of the history. Base units of the token. */
            totalYieldEarned: string;
            /** @description totalYieldEarned in USD, truncated to cents. */
            totalYieldEarnedUsd: string;
            /** @description totalYieldEarned in USD with every digit: days add up to the total. */
            totalYieldEarnedUsdExact: string;
            /** @description Days with data, oldest first. The last one covers the current day so far. */
            history: {
                /**
                 * Format: date
                 * @description Day. YYYY-MM-DD, UTC.
                 */
                date: string;
                /** @description Yield since the previous day with data; negative for a loss. Base units of the token. */
                yieldEarned: string;
                /** @description yieldEarned in USD, truncated to cents. */
                yieldEarnedUsd: string;
                /** @description yieldEarned in USD with every digit: days add up to the total. */
                yieldEarnedUsdExact: string;
                /** @description Yield since the start of the period. Base units of the token. */
                cumulativeYield: string;
                /** @description Value of all positions at the end of the day. Base units of the token. */
                positionValue: string;
            }[];
            /** @description Earnings by venue; present with includeBreakdown=true. The venues add up exactly to the totals. */
            byVenue?: {
                /** @description Venue id. */
                venueId: number;
                /** @description Name of the venue. */
                venueName: string;
                /** @description Yield in the period: the sum of the history. Base units of the token. */
                totalYieldEarned: string;
                /** @description totalYieldEarned in USD, truncated to cents. */
                totalYieldEarnedUsd: string;
                /** @description totalYieldEarned in USD with every digit: days add up to the total. */
                totalYieldEarnedUsdExact: string;
                /** @description Days with data, oldest first. */
                history: {
                    /**
                     * Format: date
                     * @description Day. YYYY-MM-DD, UTC.
                     */
                    date: string;
                    /** @description Yield since the previous day with data; negative for a loss. Base units of the token. */
                    yieldEarned: string;
                    /** @description yieldEarned in USD, truncated to cents. */
                    yieldEarnedUsd: string;
                    /** @description yieldEarned in USD with every digit: days add up to the total. */
                    yieldEarnedUsdExact: string;
                }[];
            }[];
        };
        /** @description Sessions were ended. */
        EndedSessions: {
            /** @description How many sessions ended. */
            ended: number;
        };
        /** @description The body of: Enforce the allow-list. */
        EnforceDestinationsBody: {
            /** @description Whether tokens may be sent only to addresses on the list. False by default. */
            enforced: boolean;
        };
        /** @description The body of: Delete the organization and erase its personal data. */
        EraseOrganizationBody: {
            /** @description The organization's exact name, as a confirmation: an erasure cannot be undone. */
            name: string;
        };
        /** @description A recipient whose personal data was destroyed. */
        ErasedRecipient: {
            /** @description Recipient. */
            id: number;
            /**
             * Format: date-time
             * @description When the personal data was destroyed.
             */
            erasedAt: string;
        };
        /** @description The progress of the erasure of an organization. It contains no personal data. */
        Erasure: {
            /**
             * @description running: data is being destroyed. waiting: `waitsFor` says what for; it continues without another request. finished: all personal data is destroyed.
             * @enum {string}
             */
            state: "running" | "waiting" | "finished";
            /** @description `payments_under_way`: tokens arrived at a deposit address and are being returned. Null: nothing. */
            waitsFor: string | null;
            /**
             * Format: date-time
             * @description When the erasure was requested.
             */
            requestedAt: string;
            /** @description When the last personal data was destroyed; null before. */
            finishedAt: string | null;
            /** @description The steps that have begun, by name. */
            steps: {
                /** @description What was destroyed, such as `members` or `change_requests`. */
                name: string;
                /** @description How many rows lost personal data so far. */
                rows: number;
            }[];
        };
        /** @description The body of: Evaluate the approval policy. */
        EvaluateApprovalPolicyBody: {
            /** @description What the operation does. */
            type?: components["schemas"]["CoreOperationType"];
            /**
             * @description Amount of the whole move, decimal.
             * @example 900.00
             */
            amount?: string;
            /** @description Wallet id. */
            walletId?: number;
            /** @description Operational wallet id; determines the wallet. */
            opWalletId?: number;
            /** @description Alias of opWalletId. */
            managedWalletId?: number;
            /** @description Strategy id; determines the counterparties. */
            strategyId?: number;
            /** @description The wallet's custody provider. */
            custodyProvider?: string;
            /** @description All names of the counterparty: venue, protocol, contract addresses. */
            counterparties?: string[];
            /**
             * Format: date-time
             * @description When the operation would be planned. Defaults to now.
             */
            at?: string;
            policy?: components["schemas"]["ApprovalPolicy"];
        };
        /** @description A change of state: the webhook payload plus the event id. `event` decides the shape of `data`. */
        Event: components["schemas"]["OperationEvent"] | components["schemas"]["AllocationEvent"] | components["schemas"]["CustomerEvent"] | components["schemas"]["RampTransactionEvent"] | components["schemas"]["WebhookTestEvent"] | components["schemas"]["WebhookDisabledEvent"] | components["schemas"]["BreakerEvent"] | components["schemas"]["BreakEvent"] | components["schemas"]["ExitEvent"];
        /** @description A page of events. */
        EventList: {
            /** @description Oldest first, unless `before` was sent. */
            events: components["schemas"]["Event"][];
            /** @description Send it as `after` to get the next page; null if there are no events yet. */
            cursor: number | null;
            /** @description Whether more events are available now. */
            hasMore: boolean;
            /** @description true: events after `after` were deleted because of their age before this request. Read the objects that you rely on again. Absent otherwise. */
            missed?: boolean;
            /**
             * Format: date-time
             * @description Only with a filter: the time of the oldest event that was looked at. While `hasMore` is true, older ones may match, even if this page has none.
             */
            searchedTo?: string;
        };
        /** @description The fields of the unsigned bytes; the transaction type is 2 (EIP-1559). ethers accepts them unchanged; for viem convert the decimal strings to BigInt and rename gasLimit to gas. */
        EvmTransaction: {
            /** @description Address of the called contract. */
            to: string;
            /** @description Call data in hex. */
            data: string;
            /** @description Native coins sent with the call. Decimal, in wei. */
            value: string;
            /** @description Gas limit. Decimal. */
            gasLimit: string;
            /** @description Maximum price per unit of gas. Decimal, in wei. */
            maxFeePerGas: string;
            /** @description Tip per unit of gas. Decimal, in wei. */
            maxPriorityFeePerGas: string;
            /** @description Nonce of the transaction. */
            nonce: number;
            /** @description EIP-155 chain id. */
            chainId: number;
        };
        /** @description The body of: Exchange the code of a single sign-on. */
        ExchangeSsoCodeBody: {
            /** @description The code of the callback. */
            code: string;
        };
        /** @description What a wallet requested back from a strategy that pays later. */
        Exit: {
            /** @description Exit id. */
            id: number;
            /**
             * @description pending: requested, and all of it waits. claimable: some or all of it can be claimed. claimed: none of it is left.
             * @enum {string}
             */
            status: "pending" | "claimable" | "claimed";
            /** @description Operational wallet id; null if the wallet is not operational for this token. */
            opWalletId: number | null;
            /** @description Alias of opWalletId. */
            managedWalletId: number | null;
            /** @description Wallet id. */
            walletId: number;
            /** @description Address of the wallet. */
            walletAddress: string;
            /** @description Label of the wallet; its shortened address by default. */
            walletLabel?: string;
            /** @description Chain of the wallet. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Strategy id. */
            strategyId: number;
            /** @description Name of the strategy. */
            strategy: string;
            /** @description Name of the venue. */
            venue: string;
            /** @description Token symbol. */
            token: string;
            /** @description Number of decimal places of the token. */
            tokenDecimals: number;
            /**
             * @description What waits, at its current value.
             * @example 900.00
             */
            pending: string;
            /**
             * @description What can be claimed now.
             * @example 900.00
             */
            claimable: string;
            /**
             * @description What was requested, at its value then.
             * @example 900.00
             */
            requested: string;
            /**
             * @description What was claimed so far.
             * @example 900.00
             */
            claimed: string;
            /** @description When all of it can be claimed, by the clock of the chain; null if the protocol does not say. */
            claimableAt: string | null;
            /**
             * Format: date-time
             * @description When the first request was final, by the clock of the chain.
             */
            openedAt: string;
            /** @description When the last of it was claimed; null until then. */
            claimedAt: string | null;
            /**
             * Format: date-time
             * @description When a reading last changed it.
             */
            updatedAt: string;
        };
        /** @description One of these events: exit.pending, exit.claimable, exit.claimed. */
        ExitEvent: {
            /** @description Event id; send it as `after` to continue. Ids of concurrent events may be out of order. */
            id: number;
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "exit.pending" | "exit.claimable" | "exit.claimed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["ExitEventData"];
        };
        /** @description The exit when the event occurred. */
        ExitEventData: {
            /** @description Exit id. */
            exitId: number;
            /** @description Operational wallet id; null if the wallet is not operational for the token. */
            opWalletId: number | null;
            /** @description The same as `opWalletId`. */
            managedWalletId: number | null;
            /** @description Wallet id. */
            walletId: number;
            /** @description Strategy id. */
            strategyId: number;
            /** @description Name of the strategy. */
            strategy: string;
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /** @description What waits, decimal. */
            pending: string;
            /** @description What can be claimed, decimal. */
            claimable: string;
            /** @description What was claimed so far, decimal. */
            claimed: string;
            /** @description When all of it can be claimed; null if the protocol does not say. */
            claimableAt: string | null;
        };
        /** @description A page of exits. */
        ExitList: {
            /** @description Newest first. */
            exits: components["schemas"]["ExitRecord"][];
            /** @description Total number of matching exits. */
            total: number;
            /** @description Maximum number of entries requested. */
            limit: number;
            /** @description Entries skipped. */
            offset: number;
            /** @description Whether more entries follow. */
            hasMore: boolean;
        };
        /** @description What a wallet requested back from a strategy that pays later. */
        ExitRecord: {
            /** @description Exit id. */
            exitId: number;
            /**
             * @description pending: requested, and all of it waits. claimable: some or all of it can be claimed. claimed: none of it is left.
             * @enum {string}
             */
            status: "pending" | "claimable" | "claimed";
            /** @description Wallet id. */
            walletId: number;
            /** @description Strategy id. */
            strategyId: number;
            /** @description Token symbol. */
            token: string;
            /** @description Token contract address. */
            tokenAddress: string;
            /** @description What waits, at its current value. Base units of the token. */
            pending: string;
            /** @description What can be claimed now. Base units of the token. */
            claimable: string;
            /** @description What was claimed so far. Base units of the token. */
            claimed: string;
            /** @description When all of it can be claimed, by the clock of the chain; null if the protocol does not say. */
            claimableAt: string | null;
        };
        /** @description One of these events: exit.pending, exit.claimable, exit.claimed. */
        ExitWebhookEvent: {
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "exit.pending" | "exit.claimable" | "exit.claimed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["ExitEventData"];
        };
        /**
         * @description Why the operation ended without success. Kept even if a late landing completes the operation.
         * @enum {string}
         */
        FailureReason: "CANCELLED" | "SUPERSEDED" | "EXPIRED" | "ONCHAIN" | "SUBMISSION" | "REJECTED" | "ABORTED";
        /** @description A transfer from the faucet. */
        FaucetGift: {
            /** @description Hash of the transfer, which is in a block. */
            txHash: string;
        };
        /** @description The body of: List the allocations of a wallet or user. */
        FindAllocationsBody: {
            /** @description All wallets with this address. */
            walletAddress: string;
            /** @description Blockchain, case-insensitive. */
            blockchain?: components["schemas"]["Blockchain"];
        } | {
            /** @description The wallet with this id. */
            walletId: number;
            /** @description Blockchain, case-insensitive. */
            blockchain?: components["schemas"]["Blockchain"];
        } | {
            /** @description All wallets of this user. */
            userId: string;
            /** @description Blockchain, case-insensitive. */
            blockchain?: components["schemas"]["Blockchain"];
        };
        /** @description The body of: Generate an API key. */
        GenerateApiKeyBody: {
            /** @description Descriptive label. */
            name: string;
            /** @description The wallet profile of the key. */
            walletProfileId?: number;
            /** @description True for an admin key. */
            isAdmin?: boolean;
            /** @description What the key may do. Without it: everything that its scope allows. */
            permissions?: components["schemas"]["KeyPermission"][];
            /** @description Addresses and networks (CIDR) that the key may be used from; from any other: 403 FORBIDDEN. Without it: any. */
            allowedAddresses?: string[];
            /**
             * Format: date-time
             * @description When the key expires: from then on 403 API_KEY_DISABLED. Must be in the future. Without it: never.
             */
            expiresAt?: string;
        };
        /** @description A new API key with its value. */
        GeneratedApiKey: {
            /** @description The key. Returned only once; null in an idempotent replay. */
            apiKey: string | null;
            /** @description Key id. */
            id: number;
            /** @description Descriptive label. */
            name: string;
            /**
             * @description organization: agent endpoints, reads on core, and every wallet on v1. profile: the wallets of one profile on v1. admin: read-only access to everything on v1.
             * @enum {string}
             */
            scope: "organization" | "profile" | "admin";
            /** @description The wallet profile of a profile-scoped key; null for other scopes. */
            walletProfileId: number | null;
            /** @description Prefix and last four characters of the key. */
            keyPreview: string;
            /**
             * Format: date-time
             * @description When the key was generated.
             */
            createdAt: string;
            /** @description The user who generated the key; null for keys of earlier versions. */
            createdBy: number | null;
            /** @description What the key may do; null: everything that its scope allows. */
            permissions: components["schemas"]["KeyPermission"][] | null;
            /** @description Networks in CIDR notation that the key may be used from; null: any. */
            allowedAddresses: string[] | null;
            /** @description When the key expires; null: never. */
            expiresAt: string | null;
        };
        /** @description The body of: Fund an address from the faucet. */
        GiveFromFaucetBody: {
            /** @description Any valid address of the chain, registered or not: 0x and 40 hexadecimal digits, with a valid checksum (EIP-55) if it is in mixed case, on EVM chains; base58 of 32 bytes on Solana. */
            walletAddress: string;
            blockchain: components["schemas"]["Blockchain"];
            /**
             * @description `USDC`, `USDT` (not on base) or `native`.
             * @example USDC
             */
            token: string;
            /**
             * @description Base units: "1000000" is one USDC.
             * @example 1000000000
             */
            amount: string;
            /** @description Whether the first call for an address includes gas. Defaults to true. */
            withGas?: boolean;
        };
        /** @description The process is up. */
        Health: {
            /**
             * @description The process is up.
             * @constant
             */
            status: "ok";
            /** @description The service's version. */
            version: string;
        };
        /** @description The body of: Import a wallet. */
        ImportOrgWalletBody: {
            /** @description Address of the wallet: 0x and 40 hexadecimal digits, with a valid checksum (EIP-55) if it is in mixed case, on EVM chains; base58 of 32 bytes on Solana. */
            address: string;
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Label of the wallet. */
            label?: string;
            /**
             * @description Who holds the keys of the wallet; your own term, which approval rules can refer to.
             * @example aws-kms
             */
            custodyProvider?: string;
        };
        /** @description The body of: Invite a member. */
        InviteMemberBody: {
            /** @description Email address, case-insensitive. */
            email: string;
            role: components["schemas"]["Role"];
        };
        /** @description What goes wrong with the requests of a key, with the latest as an example. */
        KeyError: {
            /** @description The key that sent the requests. */
            keyId: number;
            /** @description Its name. */
            keyName: string;
            /** @description HTTP method. */
            method: string;
            /** @description Template of the route, such as `/v1/wallets/:walletId`. */
            route: string;
            /** @description HTTP status of the latest response. */
            status: number;
            /** @description Error code of the responses. */
            code: string;
            /** @description How many requests failed in this way. */
            count: number;
            /**
             * Format: date-time
             * @description When the first of them failed.
             */
            firstAt: string;
            /**
             * Format: date-time
             * @description When the latest failed.
             */
            lastAt: string;
            /** @description Id of the latest request, as in its response and in the log of the service. */
            requestId: string;
            /** @description `details.reason` of the latest response. */
            reason: string | null;
            /** @description What was invalid in the latest request; at most five. */
            issues: {
                /** @description Which field. */
                path: string;
                /** @description What is wrong with it. */
                message: string;
            }[];
            /** @description `params`, `query` and `body` of the latest request: ids, amounts and enum values verbatim; other text by length only. Empty for requests without fields, and for large ones. */
            sent: {
                [key: string]: unknown;
            };
        };
        /**
         * @description read: read wallets, venues, allocations, operations and events. plan: register and change wallets, plan and cancel operations, and use the sandbox. submit: get unsigned transactions, submit signed ones, report hashes and recover operations. ramp: read and write verifications, recipients, ramp accounts and payments. agent: lease, sign and report the work of the custody agent.
         * @enum {string}
         */
        KeyPermission: "read" | "plan" | "submit" | "ramp" | "agent";
        /** @description A request of an API key or a service account, without what it sent. */
        KeyRequest: {
            /** @description Id of the entry; a later request has a higher one. */
            id: number;
            /**
             * Format: date-time
             * @description When the response was sent.
             */
            at: string;
            /** @description What sent the request. */
            actor: {
                /**
                 * @description An API key or a service account.
                 * @enum {string}
                 */
                type: "key" | "service_account";
                /** @description Id of the key or the service account. */
                id: number;
                /** @description Its name; null if it is gone. */
                name: string | null;
            };
            /** @description Id of the request, as in its response and in the log of the service. */
            requestId: string;
            /** @description HTTP method. */
            method: string;
            /** @description Template of the route, such as `/v1/wallets/:walletId`. */
            route: string;
            /** @description The same with the ids that are numbers, such as `/v1/wallets/7`. */
            path: string;
            /** @description HTTP status of the response. */
            status: number;
            /** @description Error code of the response; null if the request succeeded. */
            code: string | null;
            /** @description How long the response took, in milliseconds. */
            durationMs: number;
        };
        /** @description A started verification. */
        KybStarted: {
            kyb_status: components["schemas"]["KybState"];
            /** @description URL of the verification form. Anyone who has it can submit the form. */
            kyb_url: string;
        };
        /**
         * @description pending: started. submitted: the form was submitted. Then approved or declined.
         * @enum {string}
         */
        KybState: "pending" | "submitted" | "approved" | "declined";
        /** @description Verification status of the organization. */
        KybStatus: {
            /** @description pending: started. submitted: the form was submitted. Then approved or declined. */
            kybStatus: components["schemas"]["KybState"] | null;
            /** @description URL of the verification form; null before the verification starts. */
            applicationUrl: string | null;
            /** @description An on-ramp account with a masked account number. */
            onrampAccount: components["schemas"]["MaskedOnrampAccount"] | null;
            /** @description All on-ramp accounts of the organization itself, newest first. */
            onrampAccounts: components["schemas"]["MaskedOnrampAccount"][];
            /** @description Who started the verification; absent if an earlier version did. */
            createdBy?: {
                /**
                 * @description A member, an API key, the service itself, or a service account.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the member or the key; null for the service. */
                id: number | null;
            };
        };
        /** @description The body of: Label a wallet. */
        LabelOrgWalletBody: {
            /** @description Label of the wallet. */
            label: string;
        };
        /** @description A wallet with its new label. */
        LabelledWallet: {
            /** @description Wallet id. */
            id: number;
            /** @description The new label. */
            label: string;
            /**
             * Format: date-time
             * @description When the label was changed.
             */
            updatedAt: string;
        };
        /**
         * @description available, reserved, deployed, exiting: what the wallet owns. yield: the other side of what positions earned. external: the other side of what came and went outside of operations.
         * @enum {string}
         */
        LedgerAccount: "available" | "reserved" | "deployed" | "exiting" | "yield" | "external";
        /** @description A difference between ledger and chain. */
        LedgerBreak: {
            /** @description Break id. */
            id: number;
            /**
             * @description open, accepted by a person, or closed because ledger and chain agree again.
             * @enum {string}
             */
            status?: "open" | "accepted" | "closed";
            /** @description Wallet id. */
            walletId: number;
            /** @description Address of the wallet. */
            walletAddress: string;
            /** @description Chain of the wallet. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Label of the wallet; its shortened address by default. */
            walletLabel?: string;
            /** @description Address of the token. */
            tokenAddress: string;
            /** @description Token symbol; null if the chain is no longer configured. */
            token?: string | null;
            /** @description Decimals of the token; null if the chain is no longer configured. */
            tokenDecimals?: number | null;
            /** @description Base units that the ledger shows and the chain does not. */
            amountBaseUnits: string;
            /** @description The block at which the amount was last measured. */
            blockNumber?: number | null;
            /**
             * Format: date-time
             * @description When the difference was found.
             */
            openedAt: string;
            /** @description When the difference was resolved; null while it is open. */
            closedAt: string | null;
            /** @description When a person accepted it, or null. */
            acceptedAt?: string | null;
            /** @description The user who accepted it, or null. */
            acceptedBy?: number | null;
            /** @description Why it was accepted, or null. */
            acceptedReason?: string | null;
        };
        /** @description Something that happened to the balances of a wallet. It never changes. */
        LedgerEntry: {
            /** @description Entry id. */
            id: number;
            kind: components["schemas"]["LedgerEntryKind"];
            /** @description The operation that caused it; null if none did. */
            operationId: number | null;
            /** @description The final block at which it was posted; null if no block caused it. */
            blockNumber: number | null;
            /** @description Of a supply or an unwind: the hash of its last transaction; otherwise null. */
            txHash: string | null;
            /**
             * Format: date-time
             * @description When it was posted, by the clock of the service.
             */
            bookedAt: string;
            /** @description By token and account. The amounts of each token sum to zero. */
            postings: components["schemas"]["LedgerPosting"][];
        };
        /**
         * @description reserve, cover, release: what an operation needs is set aside, covered once tokens have arrived, or free again. supply, unwind, exit: tokens moved into a strategy, out of it, or towards an exit. yield, loss, fee: what positions earned or lost. external_balance, external_position: tokens or shares came or went outside of operations. reclassification: what was posted as external turned out to be an operation that was found late. chain_reset: a development chain began again.
         * @enum {string}
         */
        LedgerEntryKind: "reserve" | "release" | "cover" | "supply" | "unwind" | "yield" | "loss" | "fee" | "external_balance" | "external_position" | "reclassification" | "exit" | "chain_reset";
        /** @description A page of ledger entries. */
        LedgerEntryList: {
            /** @description Newest first. */
            entries: components["schemas"]["LedgerEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What an entry moved on one account of the wallet. */
        LedgerPosting: {
            account: components["schemas"]["LedgerAccount"];
            /** @description Token symbol; null if it is no longer configured. */
            token: string | null;
            /** @description Address of the token. */
            tokenAddress: string;
            /** @description Signed amount; null if the token is no longer configured. */
            amount: string | null;
            /** @description The same amount. Base units of the token. */
            amountBaseUnits: string;
        };
        /** @description When the organization's money could be back; totals in USD. */
        Liquidity: {
            /**
             * @description All of it: `withinMonth` and the amounts of `unknown`, and what comes back later than a month.
             * @example 900.00
             */
            total: string;
            /**
             * @description Free in the wallets.
             * @example 900.00
             */
            inWallets: string;
            /**
             * @description `inWallets`, and what each strategy would pay now, counted on its own: strategies that draw on the same pool, such as a vault that lends to Aave beside Aave, may pay less together. Confirming the transaction can take longer than a minute.
             * @example 900.00
             */
            withinMinute: string;
            /**
             * @description `withinMinute`, and what comes back within a day at the latest.
             * @example 900.00
             */
            withinDay: string;
            /**
             * @description `withinDay`, and what comes back within 30 days at the latest.
             * @example 900.00
             */
            withinMonth: string;
            /** @description Funds whose return time is unknown, by reason. */
            unknown: {
                /**
                 * @description Held by unfinished operations.
                 * @example 900.00
                 */
                reserved: string;
                /**
                 * @description In strategies that would not pay it now, because the money is lent out or they are paused.
                 * @example 900.00
                 */
                illiquid: string;
                /**
                 * @description Each wallet could withdraw it now, but the strategy is not known to hold enough for all of them.
                 * @example 900.00
                 */
                shared: string;
                /**
                 * @description Requested back from strategies that do not say when it can be claimed.
                 * @example 900.00
                 */
                exiting?: string;
                /**
                 * @description In strategies whose withdrawable amount is not known.
                 * @example 900.00
                 */
                unread: string;
            };
            /** @description By blockchain and token, in units of the token. */
            tokens: components["schemas"]["TokenLiquidity"][];
        };
        /** @description A recipient in a list. */
        ListedRecipient: {
            /** @description Recipient id. */
            id: number;
            /** @description Name of the recipient. */
            name: string;
            /** @description Type of recipient; `business` by default. */
            type: string;
            /** @description Your own id for the recipient; unique in your organization. */
            external_id: string | null;
            kyb_status: components["schemas"]["KybState"];
            /** @description URL of the verification form for the recipient. */
            kyb_url: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description On-ramp accounts, archived ones included. */
            onramp_account_count: number;
            /** @description Off-ramp accounts, archived ones included. */
            offramp_account_count: number;
            /** @description Volume of its completed transactions. USD. */
            total_volume_usd: string;
            /** @description Number of its transactions, in any status. */
            transaction_count: number;
        };
        /** @description The body of: Sign in. */
        LogInBody: {
            /** @description Email address, case-insensitive. */
            email: string;
            /** @description The password. */
            password: string;
        };
        LoggedOut: {
            /**
             * @description Always true.
             * @constant
             */
            loggedOut: true;
        };
        /** @description An email in the mailbox. */
        Mail: {
            /** @description Mail id. */
            id: number;
            /** @description The address that it was sent to. */
            to: string;
            /** @description Subject. */
            subject: string;
            /**
             * Format: date-time
             * @description When it was sent.
             */
            createdAt: string;
            /** @description The email as plain text, with its link. */
            text: string;
            /** @description The email as HTML. */
            html: string;
        };
        /** @description An email is sent if there is something to send. The response is the same if there is not. */
        MailSent: {
            /**
             * @description Always queued.
             * @constant
             */
            mail: "queued";
        };
        /** @description An email in the mailbox, without its text. */
        MailSummary: {
            /** @description Mail id. */
            id: number;
            /** @description The address that it was sent to. */
            to: string;
            /** @description Subject. */
            subject: string;
            /**
             * Format: date-time
             * @description When it was sent.
             */
            createdAt: string;
        };
        /** @description An on-ramp account with a masked account number. */
        MaskedOnrampAccount: {
            /** @description On-ramp account id. */
            id: number;
            /** @description ABA routing number of the bank. */
            routing_number: string;
            /** @description Bank that holds the account. */
            bank_name: string;
            /** @description Supported rails, first the one that the account was opened for. */
            capabilities: components["schemas"]["PaymentRail"][];
            /**
             * @description archived: its recipient was archived.
             * @enum {string}
             */
            status: "active" | "archived";
            /** @description Token that is delivered for payments. */
            destination_asset: string;
            /** @description Blockchain, lower case. */
            network_id: components["schemas"]["Blockchain"];
            /** @description Wallet that receives the tokens. */
            destination_wallet: {
                /** @description Wallet id. */
                id: number;
                /** @description Label of the wallet, or its shortened address. */
                name: string;
                /** @description Address of the wallet. */
                address: string;
                network: components["schemas"]["Blockchain"];
            };
            /** @description Last four digits: `****1234`. */
            account_number: string;
        };
        /** @description A user of the organization. */
        Member: {
            /** @description User id. */
            id: number;
            /** @description Email address, in lower case. */
            email: string;
            /** @description Display name; null if not set. */
            name: string | null;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description When the member was added.
             */
            createdAt: string;
            /** @description Whether the member proved, by an email, that the address is theirs. */
            emailVerified: boolean;
        };
        /** @description An open invitation to join the organization. Its token is in the email only. */
        MemberInvitation: {
            /** @description Invitation id. */
            id: number;
            /** @description The invited address, in lower case. */
            email: string;
            role: components["schemas"]["Role"];
            /** @description User id of the member who sent it. */
            invitedBy: number;
            /**
             * Format: date-time
             * @description When it was sent.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it expires: after seven days.
             */
            expiresAt: string;
        };
        /** @description The body of: Add an operational wallet. */
        MonitorWalletBody: {
            /** @description Organization wallet id. */
            orgWalletId: number;
            /**
             * @description Whether Weir deploys the balance above the buffer automatically.
             * @default true
             */
            enableYield?: boolean;
            /**
             * @description Minimum liquid balance, a decimal amount of the token.
             * @default 0
             * @example 1000.00
             */
            bufferAmount?: string;
            /**
             * @description Token symbol, case-insensitive.
             * @default USDC
             */
            token?: string;
            /** @description Your own metadata; null for none. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Source or destination of a move. */
        MovePlace: {
            /**
             * @description The wallet or a strategy.
             * @enum {string}
             */
            type: "wallet" | "strategy";
            /** @description Strategy id; null for the wallet. */
            strategyId: number | null;
            /** @description Name of the strategy, or address of the wallet. */
            name: string;
        };
        /** @description A planned deployment. */
        NewAllocation: {
            /** @description Reservation id; equal to the id of its operation. */
            reservationId: number;
            /** @description Operation id of the planned supply. */
            operationId: number;
            /** @description Operational wallet id; null if the wallet is not operational for this token. */
            opWalletId: number | null;
            /** @description Alias of opWalletId. */
            managedWalletId: number | null;
            status: components["schemas"]["CoreOperationStatus"];
            reservedAmount: components["schemas"]["Amount"];
            shortfall: components["schemas"]["Amount"];
            /** @description The strategy that receives the amount. */
            strategy: {
                /** @description Strategy. */
                id: number;
                /** @description Name of the strategy. */
                name: string;
                /** @description Protocol identifier. */
                protocol: string;
                /**
                 * @description Current rate of the strategy.
                 * @example 6.00%
                 */
                estimatedAPY: string;
            };
            /** @description Why Weir would not deposit there on its own initiative: an open circuit breaker, or a fee of the vault. Absent if there is none. */
            warnings?: string[];
        };
        /** @description Which emails you want, besides those about your account. */
        NotificationSettings: {
            /** @description An email when an operation or a change request waits for your approval. */
            approvalMails: boolean;
        };
        /** @description A deposit address that pays out to a bank account. */
        OfframpAccount: {
            /** @description Off-ramp account id. */
            id: number;
            /** @description Deposit address. Tokens sent to it are paid out. */
            source_crypto_address: string;
            /** @description Token that is paid out. */
            source_asset: string;
            /** @description Payout currency. */
            destination_asset: string;
            /** @description Blockchain, lower case. */
            network_id: components["schemas"]["Blockchain"];
            rail: components["schemas"]["PaymentRail"];
            /** @description Name of the bank that receives payouts. */
            fiat_bank_name: string;
            /** @description checking or savings. */
            fiat_account_type: string;
            /** @description Name of the account holder. */
            fiat_account_holder_name: string;
            /** @description Last four digits: `****1234`. */
            fiat_account_number: string;
            /**
             * @description archived: its recipient was archived.
             * @enum {string}
             */
            status: "active" | "archived";
        };
        /** @description Verification status and off-ramp accounts of the organization. */
        OfframpStatus: {
            /** @description pending: started. submitted: the form was submitted. Then approved or declined. */
            kybStatus: components["schemas"]["KybState"] | null;
            /** @description Newest first. */
            offrampAccounts: components["schemas"]["OfframpAccount"][];
        };
        /** @description A withdrawal that cannot be paid even in part now. */
        OnlyAwaitedWithdrawal: {
            awaited: components["schemas"]["AwaitedWithdrawal"];
        };
        /** @description A bank account. Payments to it arrive as tokens in a wallet. */
        OnrampAccount: {
            /** @description On-ramp account id. */
            id: number;
            /** @description ABA routing number of the bank. */
            routing_number: string;
            /** @description Bank that holds the account. */
            bank_name: string;
            /** @description Supported rails, first the one that the account was opened for. */
            capabilities: components["schemas"]["PaymentRail"][];
            /**
             * @description archived: its recipient was archived.
             * @enum {string}
             */
            status: "active" | "archived";
            /** @description Token that is delivered for payments. */
            destination_asset: string;
            /** @description Blockchain, lower case. */
            network_id: components["schemas"]["Blockchain"];
            /** @description Wallet that receives the tokens. */
            destination_wallet: {
                /** @description Wallet id. */
                id: number;
                /** @description Label of the wallet, or its shortened address. */
                name: string;
                /** @description Address of the wallet. */
                address: string;
                network: components["schemas"]["Blockchain"];
            };
            /** @description Full account number, for payers. */
            account_number: string;
        };
        /** @description The body of: Open an off-ramp account for your organization. */
        OpenOrganizationOfframpAccountBody: {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        };
        /** @description The body of: Open an on-ramp account for your organization. */
        OpenOrganizationOnrampAccountBody: {
            /** @description Wallet that receives the payments. */
            destination_wallet_id: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId?: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId?: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that receives the payments. */
            destination_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId?: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that receives the payments. */
            destination_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId?: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId?: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that receives the payments. */
            destination_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId?: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that receives the payments. */
            destination_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId?: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId?: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that receives the payments. */
            destination_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId?: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId?: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        };
        /** @description The body of: Open an off-ramp account for a recipient. */
        OpenRecipientOfframpAccountBody: {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that determines the chain of the deposit address; returned tokens may go to it. */
            org_wallet_id?: number;
            /** @description Alias of org_wallet_id. */
            orgWalletId?: number;
            /** @description Token to pay out. Defaults to USDC. */
            source_asset?: string;
            /** @description Alias of source_asset. */
            sourceAsset?: string;
            /** @description Bank account that receives the payouts. */
            bank_details?: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routing_number: string;
                /** @description Account number; only its last four digits are returned later. */
                account_number: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                account_type: "checking" | "savings";
                /** @description Name of the account holder. */
                account_holder_name: string;
                /** @description Name of the bank. */
                bank_name: string;
            };
            /** @description The same as bank_details, in camelCase. */
            bankDetails: {
                /** @description ABA routing number: nine digits, the last of which is a check digit. */
                routingNumber: string;
                /** @description Account number; only its last four digits are returned later. */
                accountNumber: string;
                /**
                 * @description Type of the account.
                 * @enum {string}
                 */
                accountType: "checking" | "savings";
                /** @description Name of the account holder. */
                accountHolderName: string;
                /** @description Name of the bank. */
                bankName: string;
            };
            /** @description Alias of wallet_address. */
            walletAddress: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        };
        /** @description The body of: Open an on-ramp account for a recipient. */
        OpenRecipientOnrampAccountBody: {
            /** @description Wallet that receives the payments. */
            destination_wallet_id: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId?: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId?: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that receives the payments. */
            destination_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId?: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that receives the payments. */
            destination_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId?: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId?: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that receives the payments. */
            destination_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId?: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain?: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that receives the payments. */
            destination_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId?: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId?: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress?: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        } | {
            /** @description Wallet that receives the payments. */
            destination_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            destinationWalletId?: number;
            /** @description Alias of destination_wallet_id. */
            org_wallet_id?: number;
            /** @description Alias of destination_wallet_id. */
            orgWalletId?: number;
            /** @description Token to deliver. Defaults to USDC. */
            destination_asset?: string;
            /** @description Alias of destination_asset. */
            destinationAsset?: string;
            /** @description Alias of wallet_address. */
            walletAddress: string;
            /** @description Address of a registered wallet; an alternative to its id, together with `blockchain`. */
            wallet_address?: string;
            /** @description Blockchain of wallet_address. */
            blockchain: components["schemas"]["Blockchain"];
            rail?: components["schemas"]["PaymentRail"];
        };
        /** @description A session that has not ended. */
        OpenSession: {
            /** @description Session id. */
            id: number;
            /**
             * Format: date-time
             * @description When the user signed in.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the user signed in or last refreshed the session; requests in between are not recorded.
             */
            lastUsedAt: string;
            /** @description The network address of the sign-in or the last refresh; null if the session is older than this field. */
            address: string | null;
            /** @description The user agent of the sign-in or the last refresh, shortened; null if there is none. */
            userAgent: string | null;
            /** @description Whether it is the session of this request. */
            current: boolean;
        };
        /** @description A supply to a strategy or a withdrawal from it. */
        Operation: {
            /** @description Operation id. */
            operationId: number;
            type: components["schemas"]["OperationType"];
            status: components["schemas"]["OperationStatus"];
            /** @description Transactions in the order to sign and submit them. */
            transactions: components["schemas"]["OperationTransaction"][];
            /** @description When the operation can no longer be submitted; null if it does not expire. */
            expiresAt: string | null;
            /** @description Operations that this plan superseded; absent if there were none. */
            cancelledOperations?: number[];
            /** @description Only in the response that plans a supply or a withdrawal: why Weir would not deposit there on its own initiative, such as an open circuit breaker, or the fee that the vault keeps. Absent if there is none. */
            warnings?: string[];
            /** @description Wallet id. */
            walletId: number;
            /** @description Strategy id. */
            strategyId: number;
            /** @description Planned amount; null for a full withdrawal. Base units of the token. */
            amount: string | null;
            /** @description Amount that really moved, such as what a full withdrawal brought; null until the operation is confirmed. Base units of the token. */
            settledAmount?: string | null;
            /** @description Only if the operation moves nothing and revokes this allowance, which an ended supply left. Base units of the token. */
            revokesAllowance?: string;
            /** @description Only in the response of a single operation: what a supply left that ended between token approval and deposit, as the chain has it now. The next supply to the strategy uses it up; `POST /v1/operations/revoke-allowance` plans its revocation. Absent if nothing is left, and while another operation of the wallet may need it. */
            leftAllowance?: {
                /** @description Contract that may still take tokens from the wallet. */
                spender: string;
                /** @description How much it may take. Base units of the token. */
                amount: string;
                /** @description The call that revokes it, for wallets that send without Weir. */
                revocation: {
                    /** @description The token. */
                    to: string;
                    /** @description Call data of `approve(spender, 0)`. */
                    data: string;
                };
            };
            /**
             * @description Only for strategies whose withdrawals take time. request: the operation requests the money back. claim: it claims the money.
             * @enum {string}
             */
            exitStep?: "request" | "claim";
            exit?: components["schemas"]["ExitRecord"];
            failureReason?: components["schemas"]["FailureReason"];
            /**
             * Format: date-time
             * @description When the operation was planned.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the status last changed.
             */
            updatedAt: string;
        };
        /** @description An operation after an approval. */
        OperationApproval: {
            /** @description Operation id. */
            id: number;
            status: components["schemas"]["CoreOperationStatus"];
            /** @description When the last required approval arrived; null until then. */
            approvedAt: string | null;
            /** @description Number of members who have approved and may still approve. */
            approvals: number;
            /** @description Number of approvals required. */
            requiredApprovals: number;
            /** @description Whether your approval is signed with a passkey. */
            signed: boolean;
        };
        /** @description What one member decided about an operation. */
        OperationDecision: {
            /** @description User id. */
            userId: number;
            /** @description Email address of the member. */
            email: string;
            /**
             * @description What the member decided.
             * @enum {string}
             */
            decision: "approve" | "reject";
            /** @description Whether it is one of the approvals that count. */
            counts: boolean;
            /** @description Whether it is signed with a passkey. */
            signed: boolean;
            /** @description Reason that the member gave; absent if none. */
            reason?: string;
            /**
             * @description Address of the evidence; absent if there is none.
             * @example https://files.example/invoices/1042.pdf
             */
            link?: string;
            /** @description SHA-256 of the evidence; absent if there is none. */
            fileSha256?: string;
            /**
             * Format: date-time
             * @description When the member decided.
             */
            at: string;
        };
        /** @description One of these events: operation.created, operation.approved, operation.rejected, operation.executing, operation.completed, operation.failed. */
        OperationEvent: {
            /** @description Event id; send it as `after` to continue. Ids of concurrent events may be out of order. */
            id: number;
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "operation.created" | "operation.approved" | "operation.rejected" | "operation.executing" | "operation.completed" | "operation.failed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["OperationEventData"];
        };
        /** @description The operation when the event occurred. */
        OperationEventData: {
            /** @description Operation id. */
            operationId: number;
            type: components["schemas"]["CoreOperationType"];
            /** @description Status of the operation on core (spec 3.1). */
            status: components["schemas"]["CoreOperationStatus"];
            /** @description Operational wallet id; null if the wallet is not operational for this token. */
            opWalletId: number | null;
            /** @description Alias of opWalletId. */
            managedWalletId: number | null;
            /** @description Wallet id. */
            walletId: number;
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /** @description Amount: of a whole position its value when it was planned, until the settled amount is known. Null only if it was planned before that value was stored. Decimal. */
            amount: string | null;
            /** @description Only if the operation moves nothing and revokes this allowance, which an ended supply left. Decimal. */
            revokesAllowance?: string;
            /** @description Hash of its last transaction, once known. */
            txHash?: string;
            /** @description Why the operation ended without success. */
            failureReason?: string;
            /** @description Reason for the failure on chain. */
            failureCode?: string;
            /** @description Strategy id. */
            strategyId?: number;
            /** @description Token contract address. */
            tokenAddress?: string;
            v1?: components["schemas"]["OperationEventOfClient"];
        };
        /** @description The operation in the words of v1. */
        OperationEventOfClient: {
            /** @description Type of the operation on v1. */
            type: components["schemas"]["OperationType"];
            /** @description Status of the operation on v1 (spec 3.2). */
            status: components["schemas"]["OperationStatus"];
            /** @description The same amount. Base units. */
            amount: string | null;
            /** @description The same allowance. Base units. */
            revokesAllowance?: string;
        };
        /** @description A page of finished operations. */
        OperationHistory: {
            /** @description Newest first. */
            items: components["schemas"]["OperationHistoryItem"][];
            /** @description Total number of matching operations. */
            total: number;
            /** @description Maximum number of entries requested. */
            limit: number;
            /** @description Entries skipped. */
            offset: number;
            /** @description Whether more entries follow. */
            hasMore: boolean;
        };
        /** @description A finished operation. */
        OperationHistoryItem: {
            /** @description Operation id. */
            id: number;
            /** @description SUPPLY moves tokens into a strategy, UNWIND out of it. */
            type: components["schemas"]["CoreOperationType"];
            status: components["schemas"]["CoreOperationStatus"];
            /** @description Operational wallet id; null if the wallet is not operational for this token. */
            opWalletId: number | null;
            /** @description Alias of opWalletId. */
            managedWalletId: number | null;
            /** @description Organization wallet id. */
            walletId?: number;
            /** @description Address of the wallet. */
            walletAddress?: string;
            /** @description Label of the wallet; its shortened address by default. */
            walletLabel?: string;
            /** @description Blockchain, lower case. */
            blockchain?: components["schemas"]["Blockchain"];
            /**
             * @description Amount moved or requested; for a full withdrawal, the current value of the position, or once it ended without moving anything, the value when it was planned.
             * @example 900.00
             */
            amount: string;
            /**
             * @description Only if the operation moves nothing and revokes this allowance, which an ended supply left.
             * @example 900.00
             */
            revokesAllowance?: string;
            /** @description Token symbol. */
            token: string;
            /**
             * @description agent: planned by Weir and signed by your custody agent. client: planned and signed by a v1 client.
             * @enum {string}
             */
            executor: "agent" | "client";
            /**
             * @description Who requested the operation: the rebalancer, a request on core (explicit), or a request on v1 (client).
             * @enum {string}
             */
            origin: "rebalancer" | "explicit" | "client";
            /** @description Who requested the operation; null if it was planned before Weir stored this. */
            requestedBy?: {
                /**
                 * @description user: a member, on core. key: an API key, on v1. system: Weir itself, such as the rebalancer. service_account: a service account, on core.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the user, the API key or the service account; null for system. */
                id: number | null;
            } | null;
            /**
             * Format: date-time
             * @description When the operation was planned.
             */
            createdAt: string;
            /** @description When the operation ended, whatever its outcome. */
            completedAt: string | null;
            /** @description Hash of the last submitted transaction; null if there is none. */
            txHash: string | null;
            /** @description For a supply, the strategy's rate at completion; for an unwind, the annualized yield of the withdrawn amount; null if the operation did not complete. */
            actualAPY: string | null;
            /** @description Why the operation ended without effect; null if it completed. */
            failureReason: string | null;
        };
        /** @description A page of operations. */
        OperationList: {
            /** @description Newest first. */
            operations: components["schemas"]["Operation"][];
            /** @description Total number of matching operations. */
            total: number;
            /** @description Maximum number of entries requested. */
            limit: number;
            /** @description Entries skipped. */
            offset: number;
            /** @description Whether more entries follow. */
            hasMore: boolean;
        };
        /** @description Unfinished operations. */
        OperationQueue: {
            /** @description Newest first. */
            intents: components["schemas"]["OperationQueueItem"][];
            /** @description Number of operations in this response. */
            count: number;
        };
        /** @description An unfinished operation. */
        OperationQueueItem: {
            /** @description Operation id. */
            id: number;
            /** @description SUPPLY moves tokens into a strategy, UNWIND out of it. */
            type: components["schemas"]["CoreOperationType"];
            status: components["schemas"]["CoreOperationStatus"];
            /** @description Operational wallet id; null if the wallet is not operational for this token. */
            opWalletId: number | null;
            /** @description Alias of opWalletId. */
            managedWalletId: number | null;
            /** @description Organization wallet id. */
            walletId?: number;
            /** @description Address of the wallet. */
            walletAddress?: string;
            /** @description Label of the wallet; its shortened address by default. */
            walletLabel?: string;
            /** @description Blockchain, lower case. */
            blockchain?: components["schemas"]["Blockchain"];
            /**
             * @description Amount moved or requested; for a full withdrawal, the current value of the position, or once it ended without moving anything, the value when it was planned.
             * @example 900.00
             */
            amount: string;
            /**
             * @description Only if the operation moves nothing and revokes this allowance, which an ended supply left.
             * @example 900.00
             */
            revokesAllowance?: string;
            /** @description Token symbol. */
            token: string;
            /**
             * @description agent: planned by Weir and signed by your custody agent. client: planned and signed by a v1 client.
             * @enum {string}
             */
            executor: "agent" | "client";
            /**
             * @description Who requested the operation: the rebalancer, a request on core (explicit), or a request on v1 (client).
             * @enum {string}
             */
            origin: "rebalancer" | "explicit" | "client";
            /** @description Who requested the operation; null if it was planned before Weir stored this. */
            requestedBy?: {
                /**
                 * @description user: a member, on core. key: an API key, on v1. system: Weir itself, such as the rebalancer. service_account: a service account, on core.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the user, the API key or the service account; null for system. */
                id: number | null;
            } | null;
            /**
             * Format: date-time
             * @description When the operation was planned.
             */
            createdAt: string;
            /**
             * @description Current rate of the strategy.
             * @example 6.00%
             */
            estimatedAPY: string;
            /** @description Number of approvals required; 0 if none. */
            requiredApprovals?: number;
            /** @description Number of members who have approved and may still approve; only in PENDING_APPROVAL. */
            approvals?: number;
            /** @description Name of the approval policy rule that decided; null if none did. */
            approvalRule?: string | null;
        };
        /** @description Why this move, this strategy and this amount. */
        OperationReasons: {
            /** @description Why the move was made. */
            why: string;
            /** @description Outcome of the approval policy, and why. */
            policy: string;
            /**
             * @description Amount of the move; for a full withdrawal, the value of the position when it was planned.
             * @example 900.00
             */
            worth: string;
            /**
             * @description Amount above the buffer that was available to deploy.
             * @example 900.00
             */
            excess?: string;
            /**
             * @description Amount missing from the buffer.
             * @example 900.00
             */
            shortfall?: string;
            /**
             * @description Part of it that the positions were worth and could not pay then; absent if nothing was withdrawn.
             * @example 900.00
             */
            awaited?: string;
            /** @description Positions that it could be withdrawn from, as they were then; absent if nothing was withdrawn. */
            sources?: {
                /** @description Strategy id. */
                strategyId: number;
                /** @description Name of the strategy. */
                name: string;
                /**
                 * @description Value of the position.
                 * @example 900.00
                 */
                value: string;
                /** @description What the strategy can pay out of it now; null if that could not be read. */
                withdrawable: string | null;
                /** @description What that means for the withdrawal. */
                verdict: string;
            }[];
            /** @description Strategies that the allocator compared, best first; absent if it was not involved. */
            weighed?: {
                /** @description Strategy id. */
                strategyId: number;
                /** @description Name of the strategy. */
                name: string;
                /**
                 * @description Rate of the strategy when it was compared.
                 * @example 6.00%
                 */
                apy: string;
                /**
                 * @description Expected yield of the whole amount over the horizon, after gas.
                 * @example 900.00
                 */
                gain: string;
                /** @description The allocator's verdict. */
                verdict: string;
            }[];
            /** @description Why the move was not larger. */
            notes?: string[];
        };
        /** @description A rejected operation. */
        OperationRejection: {
            /** @description Operation id. */
            id: number;
            status: components["schemas"]["CoreOperationStatus"];
            /**
             * Format: date-time
             * @description When the operation was rejected.
             */
            rejectedAt: string;
        };
        /** @description Statistics of the organization's operations. */
        OperationStats: {
            /** @description All operations. */
            totalOperations: number;
            /** @description COMPLETED. */
            completedOperations: number;
            /** @description FAILED, REJECTED and ABORTED. */
            failedOperations: number;
            /** @description REJECTED: part of failedOperations that a person or a rule of the policy stopped. */
            rejectedOperations?: number;
            /** @description ABORTED: part of failedOperations that was cancelled, replaced or given up. */
            abortedOperations?: number;
            /** @description Not finished. */
            pendingOperations: number;
            /**
             * @description Total amount deployed by completed supplies, in USD.
             * @example 900.00
             */
            totalDeployed: string;
            /** @description Seconds from planning to completion, with one decimal place; "0.0" if none completed. */
            averageCompletionTime: string;
            /**
             * @description Share of finished operations that completed, counting rejected and aborted ones; "0.00%" if none finished.
             * @example 6.00%
             */
            successRate: string;
        };
        /**
         * @description Status of the operation (spec 3.2).
         * @enum {string}
         */
        OperationStatus: "PENDING" | "AWAITING_SIGNATURE" | "SUBMITTED" | "CONFIRMED" | "FAILED";
        /** @description A step of an operation: one transaction. */
        OperationStep: {
            /** @description Step id. */
            id: number;
            /**
             * @description What the step does.
             * @enum {string}
             */
            type: "APPROVE_TOKEN" | "SUPPLY_TO_PROVIDER" | "UNWIND_FROM_PROVIDER";
            /**
             * @description EXECUTING: ready to sign. CONFIRMING: submitted, not yet final.
             * @enum {string}
             */
            status: "PENDING" | "EXECUTING" | "CONFIRMING" | "COMPLETED" | "FAILED";
            /** @description The venue. */
            provider: {
                /** @description Name of the venue. */
                name: string;
                /** @description Protocol identifier. */
                protocol: string;
            };
            amount: components["schemas"]["Amount"];
            /** @description What the step calls: one contract, or on Solana several programs in order. Nonce, fees, blockhash and memo are chosen when bytes are built. For an operation that people approve, exactly these calls are issued. */
            calls?: components["schemas"]["PlannedCall"][];
            /**
             * @description Why the step failed or was never broadcast, human-readable, such as the error that your agent reported; absent if there is no error.
             * @example The agent reported: UNKNOWN_WALLET: this agent holds no key of 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            error?: string;
        };
        /** @description One transaction of an operation. Sign and submit the transactions in order. */
        OperationTransaction: {
            /** @description Transaction id. */
            id: number;
            blockchain: components["schemas"]["Blockchain"];
            status: components["schemas"]["TransactionStatus"];
            /** @description Bytes to sign: hex on EVM chains, base64 on Solana. Present only while unsigned. */
            unsignedTransaction?: string;
            /** @description Human-readable description. */
            description: string;
            /** @description Transaction hash; present once known, even while pending. */
            txHash?: string;
            /** @description Number of confirmations, counting the including block; present once in a block. */
            confirmations?: number;
            /** @description Block that includes the transaction. */
            blockNumber?: number;
            /** @description Human-readable reason for the failure. */
            error?: string;
            failureCode?: components["schemas"]["TransactionFailureCode"];
            /** @description Decoded revert reason of the contract. */
            revertReason?: string;
        };
        /**
         * @description Type of the operation.
         * @enum {string}
         */
        OperationType: "supply" | "unwind";
        /** @description One of these events: operation.created, operation.approved, operation.rejected, operation.executing, operation.completed, operation.failed. */
        OperationWebhookEvent: {
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "operation.created" | "operation.approved" | "operation.rejected" | "operation.executing" | "operation.completed" | "operation.failed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["OperationEventData"];
        };
        /** @description A wallet and a token whose idle balance Weir deploys, with balances. */
        OperationalWallet: {
            /** @description Operational wallet id. */
            id: number;
            /** @description Same as id. */
            opWalletId: number;
            /** @description Same as id. */
            managedWalletId: number;
            /** @description Whether Weir deploys the balance above the buffer automatically. */
            enableYield: boolean;
            /**
             * @description Minimum liquid balance.
             * @example 900.00
             */
            bufferAmount: string;
            /** @description Organization wallet id. */
            orgWalletId: number;
            /** @description Checksummed on EVM chains, base58 on Solana. */
            address: string;
            /** @description Label of the wallet; its shortened address by default. */
            label?: string;
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /** @description Number of decimal places of the token. */
            tokenDecimals: number;
            /**
             * @description Balance in the wallet that is available for use.
             * @example 900.00
             */
            availableBalance: string;
            /**
             * @description Balance reserved for unfinished operations.
             * @example 900.00
             */
            reservedBalance: string;
            /**
             * @description Current value of its positions, including yield.
             * @example 900.00
             */
            deployedBalance: string;
            /** @description When that value was read, from the clock of the chain; null without a position. */
            deployedAt: string | null;
            /**
             * @description Requested back from strategies that pay later, and not claimed. It earns nothing, or less. Absent if nothing is.
             * @example 900.00
             */
            exitingBalance?: string;
            /**
             * @description Sum of available, reserved, deployed and exiting.
             * @example 900.00
             */
            totalBalance: string;
            /** @description Your own metadata; null if not set. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the wallet became operational.
             */
            createdAt: string;
            /** @description Who created it; null for objects of earlier versions. */
            createdBy?: {
                /**
                 * @description A member, an API key, the service itself, or a service account.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the member or the key; null for the service. */
                id: number | null;
            } | null;
            /**
             * Format: date-time
             * @description When bufferAmount or enableYield was last changed.
             */
            updatedAt: string;
        };
        /** @description One of the organization's wallets. */
        OrgWallet: {
            /** @description Wallet id; equal to `walletId` on the v1 surface. */
            id: number;
            /** @description Checksummed on EVM chains, base58 on Solana. */
            address: string;
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Label of the wallet; its shortened address by default. */
            label: string;
            /** @description Who holds the keys of the wallet; `self` by default. */
            custodyProvider: string;
            /**
             * Format: date-time
             * @description When the wallet was imported or registered.
             */
            createdAt: string;
            /** @description Who created it; null for objects of earlier versions. */
            createdBy?: {
                /**
                 * @description A member, an API key, the service itself, or a service account.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the member or the key; null for the service. */
                id: number | null;
            } | null;
            /** @description The tokens that the wallet is operational for. Absent from the response to an import. */
            opWallets?: {
                /** @description Operational wallet id. */
                opWalletId: number;
                /** @description Alias of opWalletId. */
                managedWalletId: number;
                /** @description Token symbol; its address if the chain is no longer configured. */
                token: string;
            }[];
        };
        /** @description The organization of the user. */
        Organization: {
            /** @description Organization id. */
            id: number;
            /** @description Organization name. */
            name: string;
        };
        /** @description The health of what an organization depends on. */
        OrganizationHealth: {
            /** @description Keys that an agent polled with in the last 7 days, the one silent longest first. */
            agents: {
                /** @description The key that the agent polls with. */
                keyId: number;
                /** @description Its name. */
                keyName: string;
                /**
                 * Format: date-time
                 * @description When the agent last polled.
                 */
                polledAt: string;
            }[];
            /** @description The chains that Weir follows. */
            chains: {
                /** @description Name of the chain. */
                blockchain: components["schemas"]["Blockchain"];
                /** @description Everything up to this block is settled in the ledger. */
                settledBlock: number;
                /**
                 * Format: date-time
                 * @description The time of that block, by the clock of the chain.
                 */
                settledBlockAt: string;
                /** @description The newest block that Weir has seen. */
                headBlock: number;
                /**
                 * Format: date-time
                 * @description When Weir last settled a block or saw a new one.
                 */
                movedAt: string;
            }[];
            /** @description The gas of the 100 oldest operational wallets, least first. */
            gas: {
                /** @description Wallet id. */
                walletId: number;
                /** @description Address of the wallet. */
                address: string;
                /** @description Label of the wallet; its shortened address by default. */
                label?: string;
                /** @description Name of the chain. */
                blockchain: components["schemas"]["Blockchain"];
                /** @description How many more transactions the wallet's native coins pay for at the chain's current fees; null while the chain is unavailable, or where transactions cost nothing. */
                transactionsLeft: number | null;
            }[];
            /** @description Wallets whose settlement failed, longest ago first; at most 100. The others continue. */
            quarantined: {
                /** @description Wallet id. */
                walletId: number;
                /** @description Address of the wallet. */
                address: string;
                /** @description Label of the wallet; its shortened address by default. */
                label?: string;
                /** @description Name of the chain. */
                blockchain: components["schemas"]["Blockchain"];
                /**
                 * Format: date-time
                 * @description When settling it first failed.
                 */
                since: string;
                /** @description How often it was tried. */
                attempts: number;
                /**
                 * Format: date-time
                 * @description When it is tried again.
                 */
                nextAttemptAt: string;
            }[];
        };
        /** @description Totals over ramp transactions, in camelCase. */
        OrganizationRampSummary: {
            /** @description Volume of completed transactions, including fees. USD. */
            totalVolumeUsd: string;
            /** @description Fees of completed transactions. USD. */
            totalFeesUsd: string;
            /** @description Decimal token amount moved by completed transactions. */
            totalDelivered: string;
            /** @description Number of recipients with a transaction. */
            activeRecipients: number;
            /** @description Number of transactions, in any status. */
            transactionCount: number;
            /** @description Number of transactions by status. */
            byStatus: {
                [key: string]: number;
            };
            /** @description Days with transactions, oldest first. */
            periodBreakdown: {
                /**
                 * Format: date
                 * @description Day of creation, UTC.
                 */
                date: string;
                /** @description Volume of completed transactions, including fees. USD. */
                volumeUsd: string;
                /** @description Number of transactions, in any status. */
                transactions: number;
            }[];
        };
        /** @description Position of a page in a list. */
        Pagination: {
            /** @description Total number of matching entries. */
            total: number;
            /** @description Maximum number of entries requested. */
            limit: number;
            /** @description Entries skipped. */
            offset: number;
            /** @description Whether more entries follow. */
            hasMore: boolean;
        };
        /** @description A passkey of yours. */
        Passkey: {
            /** @description Passkey id. */
            id: number;
            /** @description The name that you gave it. */
            name: string;
            /** @description Credential id, in base64url. */
            credentialId: string;
            /** @description Public key in COSE, in base64url. */
            publicKey: string;
            /** @description Whether the authenticator copies it to your other devices. */
            synced: boolean;
            /**
             * Format: date-time
             * @description When you added it.
             */
            createdAt: string;
            /** @description When it was last used; null if never. */
            lastUsedAt: string | null;
        };
        /** @description The passkey is active now. */
        PasskeyAdded: {
            /** @description Passkey id. */
            id: number;
            /** @description Your recovery codes, shown only now; null if you had a second factor before. */
            recoveryCodes: string[] | null;
            /** @description How many of your other sessions ended, with the first factor. */
            ended: number;
        };
        /** @description The use of a passkey: `toJSON()` of the browser's credential. */
        PasskeyAssertion: {
            /** @description Credential id. */
            id: string;
            /** @description Credential id again. */
            rawId: string;
            /**
             * @description Always public-key.
             * @constant
             */
            type: "public-key";
            /**
             * @description Where the authenticator is; not checked.
             * @enum {string}
             */
            authenticatorAttachment?: "platform" | "cross-platform";
            /** @description Results of extensions; not checked. */
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            /** @description The response of the authenticator. */
            response: {
                /** @description What the browser signed for: type, challenge and origin. */
                clientDataJSON: string;
                /** @description The statement of the authenticator: relying party, flags and counter. */
                authenticatorData: string;
                /** @description Signature over both. */
                signature: string;
                /** @description The user that the passkey was created for; not checked. */
                userHandle?: string | null;
            };
        };
        /** @description A new passkey: `toJSON()` of the browser's credential. */
        PasskeyAttestation: {
            /** @description Credential id. */
            id: string;
            /** @description Credential id again. */
            rawId: string;
            /**
             * @description Always public-key.
             * @constant
             */
            type: "public-key";
            /**
             * @description Where the authenticator is; not checked.
             * @enum {string}
             */
            authenticatorAttachment?: "platform" | "cross-platform";
            /** @description Results of extensions; not checked. */
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            /** @description The response of the authenticator. */
            response: {
                /** @description What the browser signed for: type, challenge and origin. */
                clientDataJSON: string;
                /** @description The new key. A statement about the model of the authenticator is ignored. */
                attestationObject: string;
                /** @description How the authenticator can be reached; sent back with later requests for it. */
                transports?: string[];
            };
        };
        /** @description Options for `navigator.credentials.create()`, in their JSON form. */
        PasskeyCreation: {
            /** @description What the new passkey is created for; valid for one use. */
            challenge: string;
            /** @description The service. */
            rp: {
                /** @description The domain that passkeys belong to. */
                id: string;
                /** @description Name of the service. */
                name: string;
            };
            /** @description You. */
            user: {
                /** @description Your handle. */
                id: string;
                /** @description Your email address. */
                name: string;
                /** @description Your name. */
                displayName: string;
            };
            /** @description Accepted algorithms, best first. */
            pubKeyCredParams: {
                /**
                 * @description Always public-key.
                 * @constant
                 */
                type: "public-key";
                /** @description COSE algorithm. */
                alg: number;
            }[];
            /** @description Milliseconds until the challenge expires. */
            timeout: number;
            /** @description The passkeys that you have. */
            excludeCredentials: {
                /**
                 * @description Always public-key.
                 * @constant
                 */
                type: "public-key";
                /** @description Credential id. */
                id: string;
                /** @description How the authenticator can be reached. */
                transports: string[];
            }[];
            /** @description What the authenticator must be able to do. */
            authenticatorSelection: {
                /**
                 * @description Always preferred.
                 * @constant
                 */
                residentKey: "preferred";
                /**
                 * @description Always required.
                 * @constant
                 */
                userVerification: "required";
            };
            /**
             * @description Always none.
             * @constant
             */
            attestation: "none";
        };
        /** @description Options for `navigator.credentials.get()`, in their JSON form. */
        PasskeyRequest: {
            /** @description What the passkey signs; valid for one use. */
            challenge: string;
            /** @description The domain that passkeys belong to. */
            rpId: string;
            /** @description Milliseconds until the challenge expires. */
            timeout: number;
            /**
             * @description Always required.
             * @constant
             */
            userVerification: "required";
            /** @description Your passkeys; empty: any passkey of this domain. */
            allowCredentials: {
                /**
                 * @description Always public-key.
                 * @constant
                 */
                type: "public-key";
                /** @description Credential id. */
                id: string;
                /** @description How the authenticator can be reached. */
                transports: string[];
            }[];
        };
        /**
         * @description Payment rail of the bank.
         * @enum {string}
         */
        PaymentRail: "ach" | "fedwire" | "swift";
        /** @description The body of: Plan the claim of an exit. */
        PlanClaimBody: {
            /** @description Address of the wallet on the strategy's chain. Required without walletId. */
            walletAddress?: string;
            /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
            walletId: number;
            /** @description Strategy id from the venue list. */
            strategyId: number;
            /**
             * @description While an earlier operation of the wallet waits for your signature: `supersede` (default) cancels it, `reject` returns OPERATION_IN_PROGRESS.
             * @enum {string}
             */
            ifBusy?: "supersede" | "reject";
        } | {
            /** @description Address of the wallet on the strategy's chain. Required without walletId. */
            walletAddress: string;
            /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
            walletId?: number;
            /** @description Strategy id from the venue list. */
            strategyId: number;
            /**
             * @description While an earlier operation of the wallet waits for your signature: `supersede` (default) cancels it, `reject` returns OPERATION_IN_PROGRESS.
             * @enum {string}
             */
            ifBusy?: "supersede" | "reject";
        };
        /** @description The body of: Plan the revocation of an allowance. */
        PlanRevocationBody: {
            /** @description Address of the wallet on the strategy's chain. Required without walletId. */
            walletAddress?: string;
            /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
            walletId: number;
            /** @description Strategy id from the venue list. */
            strategyId: number;
            /**
             * @description While an earlier operation of the wallet waits for your signature: `supersede` (default) cancels it, `reject` returns OPERATION_IN_PROGRESS.
             * @enum {string}
             */
            ifBusy?: "supersede" | "reject";
        } | {
            /** @description Address of the wallet on the strategy's chain. Required without walletId. */
            walletAddress: string;
            /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
            walletId?: number;
            /** @description Strategy id from the venue list. */
            strategyId: number;
            /**
             * @description While an earlier operation of the wallet waits for your signature: `supersede` (default) cancels it, `reject` returns OPERATION_IN_PROGRESS.
             * @enum {string}
             */
            ifBusy?: "supersede" | "reject";
        };
        /** @description The body of: Plan a supply to a strategy. */
        PlanSupplyBody: {
            /** @description Address of the wallet on the strategy's chain. Required without walletId. */
            walletAddress?: string;
            /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
            walletId: number;
            /** @description Strategy id from the venue list. */
            strategyId: number;
            /**
             * @description While an earlier operation of the wallet waits for your signature: `supersede` (default) cancels it, `reject` returns OPERATION_IN_PROGRESS.
             * @enum {string}
             */
            ifBusy?: "supersede" | "reject";
            /**
             * @description Base units, digits only.
             * @example 1000000
             */
            amount: string;
            /** @description Token contract address. */
            tokenAddress: string;
        } | {
            /** @description Address of the wallet on the strategy's chain. Required without walletId. */
            walletAddress: string;
            /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
            walletId?: number;
            /** @description Strategy id from the venue list. */
            strategyId: number;
            /**
             * @description While an earlier operation of the wallet waits for your signature: `supersede` (default) cancels it, `reject` returns OPERATION_IN_PROGRESS.
             * @enum {string}
             */
            ifBusy?: "supersede" | "reject";
            /**
             * @description Base units, digits only.
             * @example 1000000
             */
            amount: string;
            /** @description Token contract address. */
            tokenAddress: string;
        };
        /** @description The body of: Plan a withdrawal from a strategy. */
        PlanUnwindBody: {
            /** @description Address of the wallet on the strategy's chain. Required without walletId. */
            walletAddress?: string;
            /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
            walletId: number;
            /** @description Strategy id from the venue list. */
            strategyId: number;
            /**
             * @description While an earlier operation of the wallet waits for your signature: `supersede` (default) cancels it, `reject` returns OPERATION_IN_PROGRESS.
             * @enum {string}
             */
            ifBusy?: "supersede" | "reject";
            /** @description Base units, digits only. */
            amount: string;
            /**
             * @description Withdraw the whole position.
             * @constant
             */
            fullWithdrawal?: false;
        } | {
            /** @description Address of the wallet on the strategy's chain. Required without walletId. */
            walletAddress?: string;
            /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
            walletId: number;
            /** @description Strategy id from the venue list. */
            strategyId: number;
            /**
             * @description While an earlier operation of the wallet waits for your signature: `supersede` (default) cancels it, `reject` returns OPERATION_IN_PROGRESS.
             * @enum {string}
             */
            ifBusy?: "supersede" | "reject";
            /**
             * @description Withdraw the whole position.
             * @constant
             */
            fullWithdrawal: true;
        } | {
            /** @description Address of the wallet on the strategy's chain. Required without walletId. */
            walletAddress: string;
            /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
            walletId?: number;
            /** @description Strategy id from the venue list. */
            strategyId: number;
            /**
             * @description While an earlier operation of the wallet waits for your signature: `supersede` (default) cancels it, `reject` returns OPERATION_IN_PROGRESS.
             * @enum {string}
             */
            ifBusy?: "supersede" | "reject";
            /** @description Base units, digits only. */
            amount: string;
            /**
             * @description Withdraw the whole position.
             * @constant
             */
            fullWithdrawal?: false;
        } | {
            /** @description Address of the wallet on the strategy's chain. Required without walletId. */
            walletAddress: string;
            /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
            walletId?: number;
            /** @description Strategy id from the venue list. */
            strategyId: number;
            /**
             * @description While an earlier operation of the wallet waits for your signature: `supersede` (default) cancels it, `reject` returns OPERATION_IN_PROGRESS.
             * @enum {string}
             */
            ifBusy?: "supersede" | "reject";
            /**
             * @description Withdraw the whole position.
             * @constant
             */
            fullWithdrawal: true;
        };
        /** @description What a step asks one contract or program to do. */
        PlannedCall: {
            /** @description Address of the contract or program. */
            contract: string;
            /** @description Native coins that it sends, in their smallest unit; absent on Solana. */
            value?: string;
            /** @description Accounts in order; on Solana only. */
            accounts?: {
                /** @description Address. */
                address: string;
                /** @description Whether it signs. */
                signer: boolean;
                /** @description Whether it may change. */
                writable: boolean;
            }[];
            /** @description Call data: hex on EVM chains, base64 on Solana. */
            data: string;
        };
        /** @description A planned withdrawal. `awaited` only if it pays less than was requested. */
        PlannedWithdrawal: {
            /** @description Operation id of the planned unwind. */
            operationId: number;
            /**
             * @description Always UNWIND.
             * @constant
             */
            type: "UNWIND";
            status: components["schemas"]["CoreOperationStatus"];
            /** @description Operational wallet id; null if the wallet is not operational for this token. */
            opWalletId: number | null;
            /** @description Alias of opWalletId. */
            managedWalletId: number | null;
            amount: components["schemas"]["Amount"];
            awaited?: components["schemas"]["AwaitedWithdrawal"];
            /** @description A fee that the vault keeps of the withdrawal. Absent if there is none. */
            warnings?: string[];
        };
        /** @description What a policy would have decided. */
        PolicyDryRun: {
            /**
             * Format: date-time
             * @description Start of the period.
             */
            since: string;
            /** @description How many operations were decided again. */
            operations: number;
            /** @description Whether the period has older operations, which were left out: a dry run takes the newest 1000. */
            truncated: boolean;
            /** @description What your policy decides, by outcome. */
            outcomes: {
                /** @description How many would go ahead. */
                approve: number;
                /** @description How many would need approval. */
                require_approval: number;
                /** @description How many would be rejected. */
                reject: number;
            };
            /** @description How many of them the policy in force decides differently. */
            changed: number;
            /** @description The newest 100 of these, newest first. */
            changes: components["schemas"]["PolicyDryRunChange"][];
        };
        /** @description An operation that the policy in force (`inForce`) and the one you sent (`tried`) decide differently. */
        PolicyDryRunChange: {
            /** @description Operation id. */
            operationId: number;
            /** @description SUPPLY moves tokens into a strategy, UNWIND out of it. */
            type: components["schemas"]["CoreOperationType"];
            /** @description Organization wallet id. */
            walletId: number;
            /** @description Name of the strategy. */
            strategy: string;
            /** @description Name of the venue. */
            venue: string;
            /** @description Amount of the whole move when it was planned; null if Weir did not store it yet. */
            amount: string | null;
            /** @description Token symbol. */
            token: string;
            /**
             * Format: date-time
             * @description When the operation was planned.
             */
            plannedAt: string;
            inForce: components["schemas"]["PolicyEvaluation"];
            tried: components["schemas"]["PolicyEvaluation"];
        };
        /** @description The result of evaluating the policy for an operation. */
        PolicyEvaluation: {
            /**
             * @description Outcome for the operation.
             * @enum {string}
             */
            outcome: "require_approval" | "approve" | "reject";
            /** @description Name of the rule that decides; null if the mode or the default decides. */
            rule: string | null;
            /** @description Number of approvals needed; 0 if none. */
            requiredApprovals: number;
            /** @description Human-readable explanation. */
            explanation: string;
        };
        /** @description A rule of an approval policy. The first rule that matches decides. */
        PolicyRule: {
            /** @description Name of the rule, reported when it decides; unique in the policy. */
            name: string;
            /** @description Conditions of the rule; all of them must match. An empty object always matches. */
            when: {
                /**
                 * @description Matches if the amount of the whole move is at least this decimal amount.
                 * @example 10000.00
                 */
                amountAtLeast?: string;
                /** @description Matches these wallets. */
                walletIds?: number[];
                /** @description Matches wallets with one of these custody providers, case-insensitive. */
                custodyProviders?: string[];
                /** @description Matches these operation types. */
                types?: components["schemas"]["CoreOperationType"][];
                /** @description Working hours in a time zone. The condition matches at all other times, including all day on days that are not listed. Hours that span midnight belong to the day on which they begin. */
                outsideHours?: {
                    /**
                     * @description IANA time zone name.
                     * @example Europe/Berlin
                     */
                    timezone: string;
                    /**
                     * @description Start of the hours, `HH:MM`, inclusive.
                     * @example 08:00
                     */
                    from: string;
                    /**
                     * @description End of the hours, `HH:MM`, exclusive. If not after `from`, on the next day. `24:00` is midnight.
                     * @example 18:00
                     */
                    to: string;
                    /**
                     * @description Days on which the hours begin.
                     * @example [
                     *       "mon",
                     *       "tue",
                     *       "wed"
                     *     ]
                     */
                    days: (string | number)[];
                };
                /** @description Matches venues by name, protocol or contract address, case-insensitive. */
                counterparties?: string[];
            };
            /**
             * @description Outcome for the operation if the rule matches.
             * @enum {string}
             */
            then: "require_approval" | "approve" | "reject";
        };
        /** @description The body of: Lease an action. */
        PollActionsBody: {
            /**
             * @description Duration of the lease in milliseconds. Must be longer than signing and broadcasting take; 30,000 to 60,000 is a good choice.
             * @default 30000
             */
            leaseDurationMs?: number;
            /** @description How long to wait for work, in milliseconds (long poll). Defaults to 0: return at once. */
            waitMs?: number;
        };
        /** @description The body of: Lease a transaction to sign. */
        PollTransactionsBody: {
            /**
             * @description Duration of the lease in milliseconds. Must be longer than signing and broadcasting take; 30,000 to 60,000 is a good choice.
             * @default 30000
             */
            leaseDurationMs?: number;
            /** @description How long to wait for work, in milliseconds (long poll). Defaults to 0: return at once. */
            waitMs?: number;
        };
        /** @description Totals over all ACTIVE and UNWINDING allocations that match the filters other than status. */
        PortfolioSummary: {
            /**
             * @description Sum of allocatedBase, in USD.
             * @example 900.00
             */
            totalDeployed: string;
            /**
             * @description Sum of currentValue, in USD.
             * @example 900.00
             */
            totalValue: string;
            /**
             * @description Sum of yieldEarned, in USD.
             * @example 900.00
             */
            totalYieldEarned: string;
            /**
             * @description Average rate, weighted by value.
             * @example 6.00%
             */
            averageAPY: string;
            /** @description Number of ACTIVE allocations. */
            activeAllocations: number;
        };
        /** @description A wallet's position in a strategy. */
        PositionAt: {
            /** @description Wallet id. */
            walletId: number;
            /** @description Address of the wallet. */
            address: string;
            /** @description Label of the wallet today; null if it has none. */
            label: string | null;
            /** @description Strategy. */
            strategyId: number;
            /** @description Name of the strategy. */
            strategy: string;
            /** @description Name of the venue. */
            venue: string;
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /**
             * @description Posted value, with the yield that was posted until then.
             * @example 900.00
             */
            value: string;
            /**
             * @description Yield posted since the wallet's first deposit into the strategy; may be negative.
             * @example 900.00
             */
            yieldEarned: string;
        };
        /** @description The positions that the ledger showed at a moment. */
        PositionsAt: {
            /**
             * Format: date-time
             * @description The requested moment.
             */
            at: string;
            /** @description Of all positions, not only this page. */
            summary: {
                /**
                 * @description Sum of value, in USD; every stablecoin counts as 1 USD.
                 * @example 900.00
                 */
                totalValue: string;
                /**
                 * @description Sum of yieldEarned, in USD.
                 * @example 900.00
                 */
                totalYieldEarned: string;
                /** @description By blockchain and token, in units of the token. */
                byToken: components["schemas"]["TokenPositionsAt"][];
            };
            /** @description The page: newest wallet first. Positions that were worth nothing are left out. */
            positions: components["schemas"]["PositionAt"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The body of: Preview a rebalance. */
        PreviewRebalanceBody: {
            /** @description Buffer to assume, a decimal amount of the token. Defaults to the current buffer. */
            bufferAmount?: string;
            /** @description Setting to assume. Defaults to the current setting. */
            enableYield?: boolean;
        };
        /** @description A queued test event. */
        QueuedWebhookTest: {
            /** @description Event id. */
            eventId: number;
            /** @description The `webhook-id` header of the delivery. */
            webhookId: string;
        };
        /** @description Limit and use of one kind of object. */
        Quota: {
            /**
             * @description What is counted: keys that are neither deleted nor expired, with service accounts; wallets with those that an agent was asked for; accounts that are not archived; all recipients; operations that have not ended; verifications that were started and not decided.
             * @enum {string}
             */
            quota: "apiKeys" | "members" | "walletProfiles" | "wallets" | "webhooks" | "rampAccounts" | "recipients" | "savedViews" | "pendingOperations" | "pendingVerifications";
            /** @description How many the organization may have. */
            limit: number;
            /** @description How many it has. */
            used: number;
        };
        /** @description Acknowledgement of a message from the banking provider. */
        RampEventsTaken: {
            /** @description Number of events in the message, including duplicates. */
            received: number;
        };
        /** @description Fee terms of your organization. */
        RampFees: {
            /** @description Fee in basis points of the amount. */
            fee_basis_points: number;
            /** @description Your share of the fee, in basis points of the fee. */
            developer_share_basis_points: number;
        };
        /** @description Position of a page in a list. */
        RampPagination: {
            /** @description Page number, starting at 1. */
            page: number;
            /** @description Maximum number of entries per page. */
            per_page: number;
            /** @description Total number of matching entries. */
            total: number;
        };
        /** @description The current cost of a payment. */
        RampQuote: {
            /** @description onramp or offramp. */
            type: components["schemas"]["RampTransactionType"];
            /** @description On-ramp: USD. Off-ramp: the token. */
            source_asset: string;
            /** @description On-ramp: the token. Off-ramp: USD. */
            destination_asset: string;
            /** @description Gross amount, including the fee. USD. */
            usd_amount: string;
            /** @description Fee. USD. */
            total_fee: string;
            /** @description Your share of the fee. USD. */
            developer_fee: string;
            /** @description Amount after fees, delivered in tokens or paid out. USD. */
            net_amount: string;
            /** @description Decimal token amount. On-ramp: delivered. Off-ramp: needed for this amount. */
            delivered_amount: string;
            /** @description The same amount as delivered_amount. Base units of the token. */
            delivered_amount_base_units: string;
            /** @description USD per token. */
            exchange_rate: string;
            /** @description Fee in basis points. */
            fee_basis_points: number;
        };
        /** @description Totals over ramp transactions. */
        RampSummary: {
            /** @description Volume of completed transactions, including fees. USD. */
            total_volume_usd: string;
            /** @description Fees of completed transactions. USD. */
            total_fees_usd: string;
            /** @description Decimal token amount moved by completed transactions. */
            total_delivered: string;
            /** @description Number of recipients with a transaction. */
            active_recipients: number;
            /** @description Number of transactions, in any status. */
            transaction_count: number;
            /** @description Number of transactions by status. */
            by_status: {
                [key: string]: number;
            };
            /** @description Days with transactions, oldest first. */
            period_breakdown: {
                /**
                 * Format: date
                 * @description Day of creation, UTC.
                 */
                date: string;
                /** @description Volume of completed transactions, including fees. USD. */
                volume_usd: string;
                /** @description Number of transactions, in any status. */
                transactions: number;
            }[];
        };
        /** @description A payment between a bank and a chain. */
        RampTransaction: {
            /** @description Ramp transaction id. */
            id: number;
            type: components["schemas"]["RampTransactionType"];
            /** @description Recipient id; null for the organization itself. */
            ramp_recipient_id: number | null;
            /** @description Name of the recipient; null for the organization itself. */
            ramp_recipient_name: string | null;
            /** @description On-ramp or off-ramp account id. */
            account_id: number;
            /** @description On-ramp: USD. Off-ramp: the token received. */
            source_asset: string;
            /** @description On-ramp: the token delivered. Off-ramp: USD. */
            destination_asset: string;
            /** @description Blockchain, lower case. */
            network_id: components["schemas"]["Blockchain"];
            /** @description Gross amount, including the fee. USD. */
            usd_amount: string;
            /** @description Fee on the terms in force when the transaction was created. USD. */
            total_fee: string;
            /** @description Your share of the fee. USD. */
            developer_fee: string;
            /** @description Fee that was charged: total_fee once completed, else 0.00. Sums to the summary. USD. */
            charged_fee?: string;
            /** @description usd_amount without total_fee. USD. */
            net_amount?: string;
            /** @description Off-ramp: amount that the bank received; null until completed, once reversed, and for on-ramp. USD. */
            payout_amount?: string | null;
            /** @description Decimal token amount. On-ramp: amount delivered; null until sent, or if it could not be sent. Off-ramp: amount received, including dust. */
            delivered_amount: string | null;
            /** @description The same amount as delivered_amount. Base units of the token. */
            delivered_amount_base_units: string | null;
            /** @description Off-ramp: amount received beyond the last whole cent; null for on-ramp. Base units of the token. */
            dust_base_units: string | null;
            /** @description USD per token. */
            exchange_rate: string;
            /** @description ach, fedwire or swift. */
            payment_rail: string;
            /** @description Reference on the bank statement. */
            payment_reference: string;
            /** @description On-ramp: hash of the delivery. Off-ramp: hash of the deposit. Null until known. */
            tx_hash: string | null;
            /** @description Off-ramp: hash of the transaction that returned the tokens; null until it is final. */
            return_tx_hash: string | null;
            status: components["schemas"]["RampTransactionStatus"];
            /** @description Every status so far, oldest first. */
            status_history: {
                status: components["schemas"]["RampTransactionStatus"];
                /**
                 * Format: date-time
                 * @description When this status was reached.
                 */
                timestamp: string;
            }[];
            /** @description Machine-readable reason why the transaction failed, was rejected or was reversed; null otherwise. */
            failure_reason: string | null;
            /**
             * Format: date-time
             * @description When the transaction was created.
             */
            created_at: string;
            /** @description Who simulated the payment; absent for real payments. */
            created_by?: {
                /**
                 * @description A member, an API key, the service itself, or a service account.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the member or the key; null for the service. */
                id: number | null;
            };
            /** @description When the transaction completed; null until then. Kept if it is reversed. */
            completed_at: string | null;
        };
        /** @description One of these events: transaction.updated, transaction.completed, transaction.failed, transaction.reversed, offramp_transaction.updated, offramp_transaction.completed, offramp_transaction.failed, offramp_transaction.reversed. */
        RampTransactionEvent: {
            /** @description Event id; send it as `after` to continue. Ids of concurrent events may be out of order. */
            id: number;
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "transaction.updated" | "transaction.completed" | "transaction.failed" | "transaction.reversed" | "offramp_transaction.updated" | "offramp_transaction.completed" | "offramp_transaction.failed" | "offramp_transaction.reversed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["RampTransactionEventData"];
        };
        /** @description The ramp transaction when the event occurred. */
        RampTransactionEventData: {
            /** @description Ramp transaction id. */
            id: number;
            type: components["schemas"]["RampTransactionType"];
            /** @description Recipient id; null for the organization itself. */
            ramp_recipient_id: number | null;
            /** @description Name of the recipient; null for the organization itself. */
            ramp_recipient_name: string | null;
            /** @description On-ramp or off-ramp account id. */
            account_id: number;
            /** @description On-ramp: USD. Off-ramp: the token received. */
            source_asset: string;
            /** @description On-ramp: the token delivered. Off-ramp: USD. */
            destination_asset: string;
            /** @description Blockchain, lower case. */
            network_id: components["schemas"]["Blockchain"];
            /** @description Gross amount, including the fee. USD. */
            usd_amount: string;
            /** @description Fee on the terms in force when the transaction was created. USD. */
            total_fee: string;
            /** @description Your share of the fee. USD. */
            developer_fee: string;
            /** @description Fee that was charged: total_fee once completed, else 0.00. Sums to the summary. USD. */
            charged_fee?: string;
            /** @description usd_amount without total_fee. USD. */
            net_amount?: string;
            /** @description Off-ramp: amount that the bank received; null until completed, once reversed, and for on-ramp. USD. */
            payout_amount?: string | null;
            /** @description Decimal token amount. On-ramp: amount delivered; null until sent, or if it could not be sent. Off-ramp: amount received, including dust. */
            delivered_amount: string | null;
            /** @description The same amount as delivered_amount. Base units of the token. */
            delivered_amount_base_units: string | null;
            /** @description Off-ramp: amount received beyond the last whole cent; null for on-ramp. Base units of the token. */
            dust_base_units: string | null;
            /** @description USD per token. */
            exchange_rate: string;
            /** @description ach, fedwire or swift. */
            payment_rail: string;
            /** @description Reference on the bank statement. */
            payment_reference: string;
            /** @description On-ramp: hash of the delivery. Off-ramp: hash of the deposit. Null until known. */
            tx_hash: string | null;
            /** @description Off-ramp: hash of the transaction that returned the tokens; null until it is final. */
            return_tx_hash: string | null;
            status: components["schemas"]["RampTransactionStatus"];
            /** @description Every status so far, oldest first. */
            status_history: {
                status: components["schemas"]["RampTransactionStatus"];
                /**
                 * Format: date-time
                 * @description When this status was reached.
                 */
                timestamp: string;
            }[];
            /** @description Machine-readable reason why the transaction failed, was rejected or was reversed; null otherwise. */
            failure_reason: string | null;
            /**
             * Format: date-time
             * @description When the transaction was created.
             */
            created_at: string;
            /** @description Who simulated the payment; absent for real payments. */
            created_by?: {
                /**
                 * @description A member, an API key, the service itself, or a service account.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the member or the key; null for the service. */
                id: number | null;
            };
            /** @description When the transaction completed; null until then. Kept if it is reversed. */
            completed_at: string | null;
            /** @description The same as `id`. */
            transaction_id: number;
            /** @description Recipient id; null for the organization itself. */
            customer_id: number | null;
        };
        /** @description A page of ramp transactions. */
        RampTransactionList: {
            /** @description Newest first. */
            data: components["schemas"]["RampTransaction"][];
            pagination: components["schemas"]["RampPagination"];
        };
        /**
         * @description Status of the ramp transaction.
         * @enum {string}
         */
        RampTransactionStatus: "pending" | "processing" | "in_progress" | "awaiting_confirmation" | "broadcasted" | "completed" | "failed" | "rejected" | "reversed";
        /**
         * @description onramp: from a bank to a chain; offramp: from a chain to a bank.
         * @enum {string}
         */
        RampTransactionType: "onramp" | "offramp";
        /** @description One of these events: transaction.updated, transaction.completed, transaction.failed, transaction.reversed, offramp_transaction.updated, offramp_transaction.completed, offramp_transaction.failed, offramp_transaction.reversed. */
        RampTransactionWebhookEvent: {
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "transaction.updated" | "transaction.completed" | "transaction.failed" | "transaction.reversed" | "offramp_transaction.updated" | "offramp_transaction.completed" | "offramp_transaction.failed" | "offramp_transaction.reversed";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["RampTransactionEventData"];
        };
        /** @description The service is ready for requests. */
        Readiness: {
            /**
             * @description Every check passes.
             * @constant
             */
            status: "ready";
            /** @description Result of each check, by name. */
            checks: {
                [key: string]: "ok";
            };
            /** @description What an operator must know: `one_node`, no standby has what the database acknowledges; `acknowledged_writes_lost`, the database has gone back in time; `clock_differs`, the clocks of this process and of the database are more than 30 seconds apart, and this process ends nothing because of the time; `venues_waiting`, entries of VENUES_FILE wait for their chain; `venues_refused`, some that waited were refused, as the log says. Absent where there is nothing. */
            warnings?: string[];
            /** @description Which process runs which periodic job. Of the jobs that every process runs, such as `rebalance`, each process lists its own. Absent from a process with `ROLE=api`. */
            work?: {
                /** @description The periodic work: `follow base` settles the blocks of Base. */
                job: string;
                /** @description The process that runs it. Its log names the number when it starts. */
                worker: number;
                /**
                 * Format: date-time
                 * @description When that process got the job, or began it.
                 */
                since: string;
                /**
                 * Format: date-time
                 * @description When a round last ended well, or a block was settled. Other processes report it every two seconds.
                 */
                lastProgressAt?: string;
                /** @description The code of the error with which the last round failed. */
                failure?: string;
                /** @description Final blocks of the chain that are not settled yet. */
                blocksBehind?: number;
                /**
                 * Format: date-time
                 * @description Time of the latest block that a node of the chain reported.
                 */
                latestBlockAt?: string;
            }[];
        };
        /** @description The moves that the rebalancer would make. */
        RebalancePreview: {
            /** @description Operational wallet id; null if the wallet is not operational for this token. */
            opWalletId: number | null;
            /** @description Alias of opWalletId. */
            managedWalletId: number | null;
            /** @description Symbol of the token. */
            token: string;
            /** @description The setting used for the preview. */
            enableYield: boolean;
            /**
             * @description The buffer used for the preview.
             * @example 900.00
             */
            bufferAmount: string;
            /**
             * @description Current on-chain balance minus reservations.
             * @example 900.00
             */
            availableBalance: string;
            /**
             * @description Amount above the buffer that is available to deploy.
             * @example 900.00
             */
            excess: string;
            /**
             * @description Amount missing from the buffer.
             * @example 900.00
             */
            shortfall: string;
            /**
             * @description Part of shortfall that the moves cover: what the strategies can pay out now, each on its own. Those that draw on the same pool may pay less together.
             * @example 900.00
             */
            payableNow?: string;
            /**
             * @description Part of shortfall that the positions are worth and cannot pay out now; fetched when they can. More than this where strategies draw on the same pool and it cannot pay all of their moves.
             * @example 900.00
             */
            awaited?: string;
            /**
             * @description Amount withdrawn on request a short while ago and therefore not redeployed yet.
             * @example 900.00
             */
            held: string;
            /** @description When all of `held` may be deployed again; parts that came back earlier are free earlier. Null if nothing is held. */
            heldUntil?: string | null;
            /** @description Moves in the order of execution. */
            moves: {
                /** @description SUPPLY moves tokens into a strategy, UNWIND out of it. */
                type: components["schemas"]["CoreOperationType"];
                from: components["schemas"]["MovePlace"];
                to: components["schemas"]["MovePlace"];
                /**
                 * @description Amount that would move.
                 * @example 900.00
                 */
                amount: string;
                /** @description Whether the whole position would be withdrawn. */
                fullWithdrawal: boolean;
                /** @description Human-readable reason. */
                reason: string;
            }[];
            /** @description Why there are no moves, or why they do not cover everything. */
            notes: string[];
            /** @description Strategies that the allocator compared, best first; empty if there is nothing to deploy. */
            strategies: {
                /** @description Strategy id. */
                strategyId: number;
                /** @description Name of the strategy. */
                name: string;
                /**
                 * @description Rate of the strategy when it was compared.
                 * @example 6.00%
                 */
                apy: string;
                /**
                 * @description Expected yield of the whole amount over the horizon, after gas.
                 * @example 900.00
                 */
                gain: string;
                /** @description The allocator's verdict. */
                verdict: string;
            }[];
            /** @description Positions that the shortfall can be withdrawn from, in that order; empty without a shortfall. */
            sources?: {
                /** @description Strategy id. */
                strategyId: number;
                /** @description Name of the strategy. */
                name: string;
                /**
                 * @description Value of the position.
                 * @example 900.00
                 */
                value: string;
                /** @description What the strategy can pay out of it now; null if that could not be read. */
                withdrawable: string | null;
                /** @description What that means for the withdrawal. */
                verdict: string;
            }[];
            /** @description An operation of the wallet that must end first; null if there is none. */
            waitsForOperationId: number | null;
            /** @description When planning resumes after the last move was rejected or failed; null if not paused. */
            pausedUntil: string | null;
        };
        /** @description A person or business that you pay or that pays you. */
        Recipient: {
            /** @description Recipient id. */
            id: number;
            /** @description Name of the recipient. */
            name: string;
            /** @description Type of recipient; `business` by default. */
            type: string;
            /** @description Your own id for the recipient; unique in your organization. */
            external_id: string | null;
            kyb_status: components["schemas"]["KybState"];
            /** @description URL of the verification form for the recipient. */
            kyb_url: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description A recipient with its address and bank accounts. */
        RecipientDetail: {
            /** @description Recipient id. */
            id: number;
            /** @description Name of the recipient. */
            name: string;
            /** @description Type of recipient; `business` by default. */
            type: string;
            /** @description Your own id for the recipient; unique in your organization. */
            external_id: string | null;
            kyb_status: components["schemas"]["KybState"];
            /** @description URL of the verification form for the recipient. */
            kyb_url: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description On-ramp accounts, archived ones included. */
            onramp_account_count: number;
            /** @description Off-ramp accounts, archived ones included. */
            offramp_account_count: number;
            /** @description Volume of its completed transactions. USD. */
            total_volume_usd: string;
            /** @description Number of its transactions, in any status. */
            transaction_count: number;
            /** @description Postal address; required to open off-ramp accounts. */
            address: {
                /** @description Street and number. */
                street1: string;
                /** @description Second address line. */
                street2?: string;
                /** @description City. */
                city: string;
                /** @description State or region. */
                region?: string;
                /** @description Postal code. */
                postal_code?: string;
                /** @description ISO 3166 two-letter country code. Defaults to US. */
                country: string;
            } | null;
            /** @description On-ramp and off-ramp bank accounts, newest first. */
            bank_accounts: {
                /** @description Account id. */
                id: number;
                /** @description onramp: receives payments. offramp: receives payouts. */
                type: components["schemas"]["RampTransactionType"];
                /** @description Name of the bank. */
                bank_name: string;
                /** @description ABA routing number. */
                routing_number: string;
                /** @description Last four digits: `****1234`. */
                account_number: string;
                /**
                 * @description archived: its recipient was archived.
                 * @enum {string}
                 */
                status: "active" | "archived";
            }[];
            /** @description When it was archived. */
            archived_at: string | null;
        };
        /** @description A page of recipients. */
        RecipientList: {
            /** @description Newest first. */
            data: components["schemas"]["ListedRecipient"][];
            pagination: components["schemas"]["RampPagination"];
            /** @description Only with `q`: recipients whose names were not searched. Names are encrypted, and those of the newest 1000 are opened; search the others by id or external id. */
            unsearched?: number;
        };
        /** @description The body of: Link a transaction that was broadcast but never reported. */
        RecoverTransactionBody: {
            /** @description Hash of the transaction on its chain. EVM: 0x and 64 hex digits. */
            txHash: string;
            /** @description Transaction id. By default matched by content, or the first unsubmitted transaction. */
            transactionId?: number;
        };
        /** @description A hash linked to its transaction. */
        RecoveredTransaction: {
            /**
             * @description Always true.
             * @constant
             */
            success: true;
            /** @description Transaction that the hash is linked to. */
            transactionId: number;
            /** @description Hash of the transaction. */
            txHash: string;
        };
        /** @description New recovery codes, shown only now. */
        RecoveryCodes: {
            /** @description Ten codes that each replace a second factor once. */
            recoveryCodes: string[];
        };
        /** @description The body of: Refresh a session. */
        RefreshSessionBody: {
            /** @description The latest refresh token. */
            refreshToken: string;
        };
        /** @description The body of: Register an organization. */
        RegisterBody: {
            /** @description Email address, case-insensitive. */
            email: string;
            /** @description The new password, 12 to 1024 characters. */
            password: string;
            /** @description Your display name. */
            name?: string;
            /** @description Name of the organization. */
            organizationName: string;
            /** @description The invitation that the operator gave you, where registration requires one. */
            invitation?: string;
        };
        /** @description The body of: Register a wallet. */
        RegisterWalletBody: {
            /** @description Address of the wallet: 0x and 40 hexadecimal digits, with a valid checksum (EIP-55) if it is in mixed case, on EVM chains; base58 of 32 bytes on Solana. */
            walletAddress: string;
            blockchain: components["schemas"]["Blockchain"];
            /** @description Your own user or account id, for wallets that belong together. */
            userId?: string | null;
            /** @description Your own metadata. */
            orgMetadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Wallet profile to register the wallet in; only for organization keys. Defaults to the default profile. */
            walletProfileId?: number;
        };
        /** @description The body of: Reject a change request. */
        RejectChangeRequestBody: {
            /** @description The reason for your decision. Auditors read it, and the audit log keeps it permanently: name no private persons. */
            reason?: string;
            /**
             * @description Address of the evidence, such as an invoice or a ticket. Nobody fetches it.
             * @example https://files.example/invoices/1042.pdf
             */
            link?: string;
            /** @description SHA-256 of the evidence, lower-case hex: proves later that a file is the one you decided by. */
            fileSha256?: string;
        };
        /** @description The body of: Reject an operation. */
        RejectOperationBody: {
            /** @description The reason for your decision. Auditors read it, and the audit log keeps it permanently: name no private persons. */
            reason?: string;
            /**
             * @description Address of the evidence, such as an invoice or a ticket. Nobody fetches it.
             * @example https://files.example/invoices/1042.pdf
             */
            link?: string;
            /** @description SHA-256 of the evidence, lower-case hex: proves later that a file is the one you decided by. */
            fileSha256?: string;
        };
        /** @description The body of: Extend a lease. */
        RenewLeaseBody: {
            /**
             * @description Duration of the lease in milliseconds. Must be longer than signing and broadcasting take; 30,000 to 60,000 is a good choice.
             * @default 30000
             */
            leaseDurationMs?: number;
            /** @description Token of your lease. Required if the transaction was leased more than once. */
            leaseToken?: string;
        };
        /** @description The body of: Report the result of an action. */
        ReportActionBody: {
            /**
             * @description SUCCESS: the action is done. FAILED: it was not done and will not be.
             * @enum {string}
             */
            status: "SUCCESS" | "FAILED";
            /** @description Result of the action. Required with SUCCESS. */
            result?: {
                /** @description Address of the new wallet: 0x and 40 hexadecimal digits, with a valid checksum (EIP-55) if it is in mixed case, on EVM chains; base58 of 32 bytes on Solana. */
                address: string;
                /** @description Identifier of the key in your custody system; stored unchanged. */
                signatureId?: string;
                /** @description The new key’s signature over `challenge`. EVM: a personal message (EIP-191), 65 bytes in hex with 0x. Solana: Ed25519 over the UTF-8 bytes, in base58. Required of keys with permissions. */
                signature?: string;
            };
            /** @description Human-readable reason. Required with FAILED, and may be empty; truncated to 2000 characters. */
            error?: string;
            /** @description Token of your lease. Required if the action was leased more than once, and to report SUCCESS with a key that has permissions. */
            leaseToken?: string;
        };
        /** @description The body of: Report the result of a transaction. */
        ReportTransactionBody: {
            /**
             * @description SUBMITTED: you broadcast it. FAILED: you did not and will not.
             * @enum {string}
             */
            status: "SUBMITTED" | "FAILED";
            /** @description Hash of the transaction. Required with SUBMITTED. EVM: 0x and 64 hex digits. */
            txHash?: string;
            /** @description Human-readable reason. Required with FAILED, and may be empty; truncated to 2000 characters. */
            error?: string;
            /** @description Token of your lease. Required if the transaction was leased more than once. */
            leaseToken?: string;
        };
        /** @description The body of: Request a password reset. */
        RequestPasswordResetBody: {
            /** @description Email address, case-insensitive. */
            email: string;
        };
        /** @description An erasure that continues in the background. */
        RequestedErasure: {
            /**
             * Format: date-time
             * @description When the erasure was requested.
             */
            requestedAt: string;
            /** @description The receipt of the erasure. Keep it: it works without an account, and nothing else shows it again. */
            receipt: string;
        };
        /** @description A user whose password was reset, and how many sessions ended. */
        ResetAccount: {
            user: components["schemas"]["SignedInUser"];
            organization: components["schemas"]["Organization"];
            /** @description How many sessions ended. */
            ended: number;
        };
        /**
         * @description viewer: read-only. approver: can also approve and reject operations. admin: can also manage keys, wallets, policy, webhooks and members. owner: can also add and remove owners.
         * @enum {string}
         */
        Role: "owner" | "admin" | "approver" | "viewer";
        /** @description The body of: Rotate an API key. */
        RotateApiKeyBody: {
            /**
             * @description How long the old key still works.
             * @default 86400
             */
            overlapSeconds?: number;
        };
        /** @description The body of: Rotate the secret of a service account. */
        RotateServiceAccountBody: {
            /**
             * @description How long the previous secret still works.
             * @default 86400
             */
            overlapSeconds?: number;
        };
        /** @description A new secret of a webhook. */
        RotatedWebhookSecret: {
            /** @description Webhook id. */
            id: number;
            /** @description Secret that signs deliveries (`whsec_` and base64). Returned only once; null in an idempotent replay. */
            secret: string | null;
            /**
             * Format: date-time
             * @description When deliveries stop being signed with the old secret too.
             */
            oldSecretValidUntil: string;
        };
        /** @description A custody agent that the sandbox runs. */
        SandboxAgent: {
            /** @description Agent id: the id of its API key. */
            id: number;
            /** @description Descriptive label of the agent and its API key. */
            name: string;
            /**
             * @description running: it polls for work. restarting: it ended by itself and is started again. stopped: its API key no longer works.
             * @enum {string}
             */
            state: "starting" | "running" | "restarting" | "stopped";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description When the process that runs now was started; null if none does. */
            startedAt: string | null;
            /** @description How often it was started again since the service started. */
            restarts: number;
        };
        /** @description An embedded chain. */
        SandboxNetwork: {
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description EVM only. Unique to this service, so that signatures are not valid on other chains. */
            chainId?: number;
            /** @description JSON-RPC endpoint for standard client libraries on the same machine. */
            rpcUrl: string;
            /** @description Tokens of the faucet and the strategies. */
            tokens: {
                /** @description Symbol. */
                symbol: string;
                /** @description Token contract address. */
                address: string;
                /** @description Number of decimal places. */
                decimals: number;
            }[];
        };
        /** @description The state of the venue of a strategy, read from its chain. */
        SandboxStrategyState: {
            /** @description Strategy id. */
            strategyId: number;
            /** @description Whether deposits and withdrawals are refused. */
            paused: boolean;
            /** @description Whether deposits are refused. */
            frozen: boolean;
            /** @description The total that deposits must not exceed; null: no cap. Base units of the token. */
            depositCap: string | null;
            /** @description What the venue owes all its depositors together. Base units of the token. */
            totalAssets: string;
            /** @description What it could pay now if it were not paused. Base units of the token. */
            liquidity: string;
            /** @description The part of the yield that the venue keeps, in basis points. */
            feeBps: number;
            /** @description What the price feed of its token reports. Absent where there is no feed. */
            tokenPriceUsd?: string;
            /** @description Whether the contract runs its other code. Absent where it cannot be upgraded. */
            upgraded?: boolean;
            /** @description How long a requested withdrawal waits. Absent where there is no cooldown. */
            cooldownSeconds?: number;
            /** @description What it pays a year before compounding, in basis points. Absent where nobody sets it. */
            rateBps?: number;
            /** @description What it pays a year in its reward token, as `rewardBps` sets it. Absent where it pays no rewards. */
            rewardBps?: number;
        };
        /** @description The filters of a page of the dashboard under a name. */
        SavedView: {
            /** @description View id. */
            id: number;
            /** @description Name of the view; each member uses a name once on a page. */
            name: string;
            /**
             * @description Path of the page of the dashboard.
             * @example /app/operations
             */
            path: string;
            /**
             * @description Filters of the page: the part of its address after the question mark, encoded.
             * @example tab=history&status=FAILED
             */
            query: string;
            /** @description Whether every member of the organization sees it, or only its creator. */
            shared: boolean;
            /** @description The user who made it. */
            createdBy: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        /** @description What matches, at most 8 of each kind. */
        SearchResults: {
            /** @description Wallets whose label or address begins with the text; those with a matching label first. */
            wallets: {
                /** @description Organization wallet id. */
                id: number;
                /** @description Address of the wallet. */
                address: string;
                /** @description Label of the wallet; its shortened address by default. */
                label: string;
                /** @description Blockchain, lower case. */
                blockchain: components["schemas"]["Blockchain"];
                /** @description Its operational wallets. */
                opWalletIds: number[];
            }[];
            /** @description The operation with this id, or with a transaction that has or had this hash. */
            operations: {
                /** @description Operation id. */
                id: number;
                /** @description SUPPLY moves tokens into a strategy, UNWIND out of it. */
                type: components["schemas"]["CoreOperationType"];
                status: components["schemas"]["CoreOperationStatus"];
                /**
                 * @description Amount moved or requested.
                 * @example 900.00
                 */
                amount: string;
                /** @description Token symbol. */
                token: string;
                /**
                 * Format: date-time
                 * @description When the operation was planned.
                 */
                createdAt: string;
            }[];
            /** @description The payment with this id, or with this hash. */
            payments: {
                /** @description Ramp transaction id. */
                id: number;
                /** @description onramp: dollars become tokens. offramp: the reverse. */
                type: components["schemas"]["RampTransactionType"];
                /** @description Status of the ramp transaction. */
                status: string;
                /**
                 * @description Amount in USD.
                 * @example 900.00
                 */
                usdAmount: string;
                /** @description Name of the recipient; null for the organization. */
                recipient: string | null;
                /**
                 * Format: date-time
                 * @description When it was recorded.
                 */
                createdAt: string;
            }[];
            /** @description The recipient with this id or external id, and those with a word of the name that begins with it. */
            recipients: {
                /** @description Recipient id. */
                id: number;
                /** @description Name. */
                name: string;
                /** @description Status of the verification. */
                kybStatus: string | null;
                /** @description Whether it is archived. */
                archived: boolean;
            }[];
            /** @description Members whose address, or a word of whose name, begins with the text. */
            members: {
                /** @description User id. */
                id: number;
                /** @description Email address. */
                email: string;
                /** @description Name; null if the member has not set one. */
                name: string | null;
                role: components["schemas"]["Role"];
            }[];
            /** @description Recipients whose names were not searched: names are encrypted, and those of the newest 1000 are opened. Search the others by id or external id. */
            unsearchedRecipients: number;
        };
        /** @description You have a second factor, which is missing. In an idempotent replay the token is null. */
        SecondFactorChallenge: {
            /**
             * @description Always true. There is no session yet.
             * @constant
             */
            secondFactorRequired: true;
            /** @description Completes this sign-in once, with `POST /api/core/auth/second-factor`. */
            challengeToken: string | null;
            /** @description Seconds until it expires: five minutes. */
            expiresIn: number;
            /** @description The second factors that you have. A recovery code replaces any of them. */
            factors: ("totp" | "passkey")[];
            /** @description Options for the browser; null without a passkey. */
            passkey: components["schemas"]["PasskeyRequest"] | null;
        };
        /** @description Your second factors. */
        SecondFactors: {
            /** @description Your authenticator app; null if there is none. */
            totp: {
                /**
                 * Format: date-time
                 * @description When you confirmed it.
                 */
                since: string;
            } | null;
            /** @description Your passkeys, oldest first. */
            passkeys: components["schemas"]["Passkey"][];
            /** @description Recovery codes that you have not used. */
            recoveryCodesLeft: number;
        };
        /** @description A refused request, or several of one kind. */
        SecurityEvent: {
            /**
             * Format: uuid
             * @description Event id; ids sort by time.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the request was refused; of merged events, the first.
             */
            at: string;
            /**
             * @description credential_refused: A missing, unknown, forged, revoked or expired key or token, or a key from a foreign address. sign_in_refused: A wrong password, code or token on a route where callers get a session. registration_refused: A registration that was refused. confirmation_refused: A signed-in caller sent a wrong password, code or proof. access_denied: A valid credential that may not do this. object_not_found: A valid credential that named an object outside its scope: a missing one, or another tenant's. transaction_mismatch: A signed transaction that differs from the planned one. rate_limited: A request beyond a limit. request_refused: A refused request on a route without a credential, such as an unsigned provider event. role_refused: Claims of an identity provider gave a member a role that the rules for changes refuse; the role stays. owner_recovered: A command on the host gave an owner a one-time password. owner_recovery_refused: A command on the host found no such owner. organization_erasure_requested: An owner deleted the organization and requested the erasure of its personal data. organization_erased: The personal data of a deleted organization was destroyed. domain_approved: A command on the host gave an email domain to an organization. registration_invited: A command on the host created an invitation to register.
             * @enum {string}
             */
            type: "credential_refused" | "sign_in_refused" | "registration_refused" | "confirmation_refused" | "access_denied" | "object_not_found" | "transaction_mismatch" | "rate_limited" | "request_refused" | "role_refused" | "owner_recovered" | "owner_recovery_refused" | "organization_erasure_requested" | "organization_erased" | "domain_approved" | "registration_invited";
            /** @description Your organization. */
            organizationId: number | null;
            /** @description Whose credential or account was presented; null if unknown. */
            actor: {
                /**
                 * @description A member, an API key, the host, or a service account.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the member or the key; null for the host. */
                id: number | null;
            } | null;
            /** @description Id of the API key, if the actor is one. */
            keyId: number | null;
            /** @description The network address that the request came from. */
            address: string | null;
            /** @description The `User-Agent` header, shortened, without control characters. */
            userAgent: string | null;
            /** @description HTTP method. */
            method: string | null;
            /** @description Template of the route, such as `/v1/wallets/:walletId`; null for an unknown path. */
            route: string | null;
            /** @description HTTP status of the response. */
            status: number | null;
            /** @description Error code of the response. */
            code: string | null;
            /** @description A word that says more than the code, such as `expired_key`; docs/security-events.md lists them. */
            reason: string | null;
            /** @description Id of the request, as in the response and the request log. */
            requestId: string | null;
            /** @description Number of refused requests; above 1, fields in which they differ are null. */
            count: number;
            /**
             * Format: date-time
             * @description When the last of them was refused.
             */
            lastAt: string;
        };
        /** @description A page of security events. */
        SecurityEventPage: {
            /** @description Newest first. */
            events: components["schemas"]["SecurityEvent"][];
            /** @description Send it as `cursor` to get the next page; null if there is none. */
            nextCursor: string | null;
        };
        /** @description What the organization demands of its members. */
        SecuritySettings: {
            /** @description Members without a second factor can only enroll one. */
            secondFactorRequired: boolean;
            /** @description Approvals of operations count only with a signature by the approver's passkey. */
            signedApprovals: boolean;
            /** @description Members who may approve get an email when an operation or a change request waits for approval. */
            approvalMails: boolean;
        };
        /** @description The body of: Submit a verification form. */
        SendKybFormBody: {
            /** @description Legal name. */
            legal_name: string;
            /** @description Registration number. */
            registration_number: string;
            /** @description Two-letter country code. */
            country: string;
            /** @description Email address. */
            email: string;
            /** @description Any value confirms that the answers are correct. */
            accurate: string;
        };
        /** @description A service account without its secrets. */
        ServiceAccount: {
            /** @description Service account id. It stays the same when the secret is rotated. */
            id: number;
            /** @description Descriptive label. */
            name: string;
            role: components["schemas"]["ServiceAccountRole"];
            /** @description Networks in CIDR notation that the account may be used from; null: any. */
            allowedAddresses: string[] | null;
            /**
             * Format: date-time
             * @description When the account was created.
             */
            createdAt: string;
            /** @description The user who created the account. */
            createdBy: number;
            /** @description The secrets that work, newest first: the current one, and the one before it while both work; none once it has expired. */
            secrets: components["schemas"]["ServiceAccountSecret"][];
        };
        /**
         * @description admin: what an admin may do without a person. viewer: reads only.
         * @enum {string}
         */
        ServiceAccountRole: "admin" | "viewer";
        /** @description A secret of a service account without its value. */
        ServiceAccountSecret: {
            /** @description Prefix and last four characters of the secret. */
            preview: string;
            /**
             * Format: date-time
             * @description When the secret was made.
             */
            createdAt: string;
            /** @description The member who received it; their approval of what the account requests does not count. */
            createdBy: number;
            /** @description When the secret expires; null: never. */
            expiresAt: string | null;
            /** @description When the secret was last used, accurate to about a second; null if never. */
            lastUsedAt: string | null;
            /** @description The address that the secret was last used from; null if never. */
            lastUsedAddress: string | null;
        };
        /** @description An open session. In an idempotent replay both tokens are null. */
        Session: {
            /** @description JWT for `Authorization: Bearer`. */
            accessToken: string | null;
            /**
             * @description Always Bearer.
             * @constant
             */
            tokenType: "Bearer";
            /** @description Lifetime of the access token in seconds: one hour. */
            expiresIn: number;
            /** @description Valid for one refresh, until the session has not been used for 30 days or is 90 days old; the operator can configure both. Using it a second time ends the session. */
            refreshToken: string | null;
            user: components["schemas"]["SignedInUser"];
            organization: components["schemas"]["Organization"];
            /**
             * @description Present if somebody else set your password. Every request except setting your own (`POST /api/core/auth/password`) and signing out then returns 403 FORBIDDEN.
             * @constant
             */
            passwordChangeRequired?: true;
        };
        /** @description The body of: Inject a fault into an embedded chain. */
        SetChainFaultBody: {
            blockchain: components["schemas"]["Blockchain"];
            /**
             * @description Kind of fault.
             * @enum {string}
             */
            fault: "rpc_down" | "drop_next" | "revert_next" | "delay_next" | "simulation_fails";
            /** @description How many times the fault occurs. */
            count: number;
        };
        /** @description The body of: Set the circuit breakers. */
        SetCircuitBreakersBody: {
            /** @description Opens when the share price is more than this below its highest daily reading of 30 days; null: off. */
            maxPriceFall: string | null;
            /** @description Opens when the price of the token deviates from 1 US dollar by more than this; null: off. */
            maxPegDistance: string | null;
            /** @description Opens when less than this share of the position can be withdrawn; null: off. */
            minWithdrawableShare: string | null;
            /** @description Whether new code at a contract of the strategy opens a breaker. */
            onUpgrade: boolean;
            /** @description Whether the rebalancer withdraws everything from a strategy while a breaker of it is open. */
            withdraw: boolean;
            /**
             * @description How long the fact must be fine before its breaker closes without a person.
             * @default 86400
             */
            recoverySeconds?: number;
            /** @description `updatedAt` of what you change; null if it was null. If it differs from the current value, the request fails with 409 CONFLICT (`details.reason` `changed_meanwhile`). */
            basedOnUpdatedAt?: string | null;
        };
        /** @description The body of: Set the limits on deposits. */
        SetDepositLimitsBody: {
            /** @description The only strategies that may take deposits; null: all of them. An empty list stops deposits. */
            allowedStrategies: number[] | null;
            /** @description Each counts all deposits that it covers together. */
            caps: {
                /**
                 * @description What the cap counts.
                 * @enum {string}
                 */
                kind: "strategy" | "protocol" | "blockchain";
                /**
                 * @description A strategy id; the name of a venue or a protocol identifier, on all blockchains; or a blockchain.
                 * @example Morpho
                 */
                of: string;
                /**
                 * @description Percentage of everything that the organization holds, deployed or not: 0 to 100.
                 * @example 40.00
                 */
                maxShare: string;
            }[];
            /** @description The largest share of a strategy's TVL that may be the organization's; null: no limit. */
            maxPoolShare: string | null;
            /** @description The largest position, as a percentage of what all depositors could withdraw; null: no limit. Does not apply to strategies whose `liquidity` is not known. */
            maxLiquidityShare: string | null;
            /** @description No deposit while the share price is more than this below its highest daily reading of 30 days; null: no limit. */
            maxPriceFall?: string | null;
            /** @description No deposit while less than this share of the position could be withdrawn at the last readings; null: no limit. */
            minWithdrawableShare?: string | null;
            /** @description `updatedAt` of what you change; null if it was null. If it differs from the current value, the request fails with 409 CONFLICT (`details.reason` `changed_meanwhile`). */
            basedOnUpdatedAt?: string | null;
        };
        /** @description The body of: Change the state of a venue. */
        SetSandboxStrategyStateBody: {
            /**
             * @description `leave`: a borrower takes liquidity, so that withdrawals of more than the rest fail. `return`: it repays it.
             * @enum {string}
             */
            liquidity?: "leave" | "return";
            /** @description With `liquidity` only: how much, in base units of the token. Without it, all: `leave` borrows the venue out. */
            amount?: string;
            /** @description The total that deposits must not exceed, in base units; a reserve of Aave rounds it down to whole tokens, to one at least. null: no cap. */
            depositCap?: string | null;
            /** @description Whether deposits and withdrawals are refused. */
            paused?: boolean;
            /** @description Whether deposits are refused. Aave, Comet and the credit vault only. */
            frozen?: boolean;
            /** @description The venue loses this part of its assets now, in basis points; every holder bears it. 0 makes good all losses so far. Vaults only. */
            lossBps?: number;
            /** @description The part of the yield that the venue keeps, in basis points. Vaults only. */
            feeBps?: number;
            /**
             * @description What the price feed of the strategy's token reports, above zero. All strategies of the token on this blockchain share it.
             * @example 0.88
             */
            tokenPriceUsd?: string;
            /** @description Whether the contract runs its other code. Only the upgradeable vault, the layer behind Fluid USDC, and on Solana the program of all share vaults, which is deployed again. */
            upgraded?: boolean;
            /**
             * @description Makes all requested withdrawals claimable, at the current share price. Only the ERC-7540 vault.
             * @constant
             */
            pendingExits?: "settle";
            /** @description How long a requested withdrawal waits; 0: withdrawals pay at once. Only the cooldown vault. */
            cooldownSeconds?: number;
            /** @description What the venue pays a year before compounding, in basis points. Only the savings vault. */
            rateBps?: number;
            /** @description What the market pays a year in its reward token on all deposits that it has now, in basis points while that token is worth a dollar; 0: nothing. Only Comet. */
            rewardBps?: number;
            /** @description What the withdrawal limit of Fluid's kind leaves now, in base units, at most what it finally leaves; it grows by the chain's clock. */
            withdrawable?: string;
        };
        /** @description The body of: Require signed approvals. */
        SetSignedApprovalsBody: {
            /** @description Whether approvals must be signed. */
            required: boolean;
        };
        /** @description The body of: Cap the share of a strategy. */
        SetStrategyCapBody: {
            /** @description Percent, or null for no cap. */
            maxShare: string | null;
        };
        /** @description The one-time code of a finished sign-in. */
        SignInCode: {
            /** @description For `POST /api/core/auth/sso/token`. Works once. */
            code: string;
            /**
             * Format: date-time
             * @description When the code expires: after 2 minutes.
             */
            expiresAt: string;
        };
        /** @description The body of: Sign in with a passkey. */
        SignInWithPasskeyBody: {
            passkey: components["schemas"]["PasskeyAssertion"];
        };
        /** @description The signed-in user. */
        SignedInUser: {
            /** @description User id. */
            id: number;
            /** @description Email address, in lower case. */
            email: string;
            /** @description Display name; null if not set. */
            name: string | null;
            role: components["schemas"]["Role"];
        };
        /** @description The body of: Sandbox: send tokens to a deposit address. */
        SimulateOfframpBody: {
            /**
             * @description Outcome to simulate.
             * @default success
             * @enum {string}
             */
            scenario?: "success" | "failed" | "rejected" | "reversed";
            /**
             * @description Amount in USD with at most two decimal places.
             * @default 50000
             */
            usd_amount?: number;
            /**
             * @description Delay between steps in milliseconds.
             * @default 1500
             */
            step_delay_ms?: number;
            /** @description Off-ramp account id. Defaults to the oldest account. */
            offramp_account_id?: number;
        };
        /** @description The body of: Sandbox: simulate a payment to an on-ramp account. */
        SimulateOnrampBody: {
            /**
             * @description Outcome to simulate.
             * @default success
             * @enum {string}
             */
            scenario?: "success" | "failed" | "rejected" | "reversed";
            /**
             * @description Amount in USD with at most two decimal places.
             * @default 50000
             */
            usd_amount?: number;
            /**
             * @description Delay between steps in milliseconds.
             * @default 1500
             */
            step_delay_ms?: number;
            /** @description On-ramp account id. Defaults to the oldest account. */
            onramp_account_id?: number;
        };
        /** @description The body of: Sandbox: send tokens to a deposit address of a recipient. */
        SimulateRecipientOfframpBody: {
            /**
             * @description Outcome to simulate.
             * @default success
             * @enum {string}
             */
            scenario?: "success" | "failed" | "rejected" | "reversed";
            /**
             * @description Amount in USD with at most two decimal places.
             * @default 50000
             */
            usd_amount?: number;
            /**
             * @description Delay between steps in milliseconds.
             * @default 1500
             */
            step_delay_ms?: number;
            /** @description Off-ramp account id. Defaults to the oldest account. */
            offramp_account_id?: number;
        };
        /** @description The body of: Sandbox: simulate a payment to an on-ramp account of a recipient. */
        SimulateRecipientOnrampBody: {
            /**
             * @description Outcome to simulate.
             * @default success
             * @enum {string}
             */
            scenario?: "success" | "failed" | "rejected" | "reversed";
            /**
             * @description Amount in USD with at most two decimal places.
             * @default 50000
             */
            usd_amount?: number;
            /**
             * @description Delay between steps in milliseconds.
             * @default 1500
             */
            step_delay_ms?: number;
            /** @description On-ramp account id. Defaults to the oldest account. */
            onramp_account_id?: number;
        };
        /** @description An accepted simulation. */
        SimulationHandle: {
            /**
             * @description Always true.
             * @constant
             */
            success: true;
            /** @description The simulation. */
            data: {
                /** @description Simulation id. */
                simulation_id: string;
                /**
                 * @description Always accepted; the simulation continues in the background.
                 * @constant
                 */
                state: "accepted";
            };
        };
        /** @description A domain that the organization claims. */
        SsoDomain: {
            /** @description Domain id. */
            id: number;
            /** @description The domain in ASCII, lower case. */
            domain: string;
            /** @description Name of the TXT record that proves the domain. */
            recordName: string;
            /** @description Content of the TXT record. */
            recordValue: string;
            /** @description When the domain was proved; null: not yet. */
            verifiedAt: string | null;
            /** @description The provider that has the domain; null: none. */
            providerId: number | null;
            /**
             * Format: date-time
             * @description When the domain was claimed.
             */
            createdAt: string;
        };
        /** @description An identity provider without its secret. */
        SsoProvider: {
            /** @description Identity provider id. */
            id: number;
            /** @description The issuer. */
            issuer: string;
            /** @description Descriptive label. */
            name: string;
            /** @description The client id that the provider issued. */
            clientId: string;
            /** @description The scopes to request; `openid` must be one of them. Default: `openid`, `email`, `profile`. */
            scopes: string[];
            /** @description The claim that says whether the email address is verified. Default: `email_verified`; on Entra ID `xms_edov`. */
            verifiedEmailClaim: string;
            /** @description The claim that gives roles, such as `groups`; a text or a list. A dot leads one level down if no claim has the whole name. null: claims give no roles. */
            roleClaim: string | null;
            /** @description Roles by value of the role claim. If several values match, the highest role counts. */
            roleMappings: components["schemas"]["SsoRoleMapping"][];
            /** @description The role of people whom no mapping matches. null: they are refused. Without a role claim: the role of new members; null: nobody becomes a member by signing in. */
            defaultRole: ("admin" | "approver" | "viewer") | null;
            /** @description Whether a mapping may give the role owner, and a sign-in take it away. If false, no owner signs in here: they are refused with 403 FORBIDDEN, `details.reason` `owner_not_allowed`, and keep their passwords even where `enforced`. Default: false. */
            allowOwner: boolean;
            /** @description Whether members with an address in `domains` must sign in here: their passwords are refused with 403 FORBIDDEN, `details.reason` `sso_required`. Default: false. */
            enforced: boolean;
            /** @description An owner who may still sign in with a password. null: nobody, unless `allowOwner` is false: then every owner may. The operator of the host can still recover an owner. */
            breakGlassMemberId: number | null;
            /** @description Proved domains of the organization whose members sign in here. A domain has one provider. */
            domains: string[];
            /** @description The redirect URI to register at the provider; each provider has its own. Leave `PUBLIC_URL/api/core/auth/sso/callback` registered as well at one that was added before 0.4.0. */
            callbackUrl: string;
            /**
             * Format: date-time
             * @description When the provider was added.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the provider was last changed.
             */
            updatedAt: string;
        };
        /** @description A value of the role claim and the role that it gives. */
        SsoRoleMapping: {
            /** @description A value of the role claim, compared exactly. */
            value: string;
            role: components["schemas"]["Role"];
        };
        /** @description The body of: Run a custody agent in the sandbox. */
        StartSandboxAgentBody: {
            /**
             * @description Descriptive label.
             * @default Sandbox agent
             */
            name?: string;
        };
        /** @description A sign-in that has begun. */
        StartedSignIn: {
            /** @description Where to send the browser. It must also send the cookie of this response back. */
            url: string;
            /**
             * Format: date-time
             * @description When the sign-in expires: after 10 minutes.
             */
            expiresAt: string;
        };
        /** @description The body of: Verify your second factor. */
        StepUpBody: {
            /** @description The current code of your authenticator app. */
            totp?: string;
            /** @description One of your recovery codes; it works once. */
            recoveryCode?: string;
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        /** @description The second factor was verified on this session. */
        SteppedUp: {
            /**
             * Format: date-time
             * @description When this session must verify a second factor again to call the routes that need a step-up.
             */
            verifiedUntil: string;
        };
        /** @description The strategies as they were at the end of a day. */
        StrategiesAt: {
            /** @description The requested day. */
            day: string;
            /** @description By strategy id. Strategies without a reading at the end of the day are left out. */
            strategies: components["schemas"]["StrategyAt"][];
        };
        /** @description A way to earn yield on one token at a venue. */
        Strategy: {
            /** @description Strategy id; use it to supply and unwind. */
            strategyId: number;
            /** @description Display name. */
            name: string;
            /** @description Token symbol. */
            token: string;
            /** @description Token contract address. */
            tokenAddress: string;
            /** @description Number of decimal places of the token. */
            tokenDecimals: number;
            /** @description Addresses of the protocol by role, such as `pool` and `aToken` of Aave, `vault` of ERC-4626, `program` on Solana. */
            contracts: {
                [key: string]: string;
            };
            /** @description The contract that a supply approves to take the tokens; null where there is no token approval. */
            spender: string | null;
            /** @description Annual yield at the current rate, including compounding, as a decimal fraction: 0.085 is 8.5%. Negative after a loss. */
            apy: number;
            /** @description Total value locked, of all depositors; null until first read. Base units of the token. */
            tvl: string | null;
            /** @description Minimum amount per supply; null if there is none. Base units of the token. */
            minDeposit: string | null;
            /** @description Maximum amount per supply; null if there is none. Base units of the token. */
            maxDeposit: string | null;
            /** @description Which deposits it accepts, as its contracts did when last read; null until then; none while `status` is `paused`. */
            deposits?: {
                /**
                 * @description `full`: accepts none, usually because it is at its own cap. `frozen`, `paused`: by its protocol; `paused` also while `status` is. Only `open` accepts deposits.
                 * @enum {string}
                 */
                state: "open" | "full" | "frozen" | "paused";
                /** @description Maximum amount that they accept now; null if there is no limit, or none reported. Base units of the token. */
                room: string | null;
            } | null;
            /** @description Which withdrawals its contracts pay, as last read; null until then, and where they report it only to the owner of a position (`withdrawable` of the allocation). */
            withdrawals?: {
                /**
                 * @description `paused`: by its protocol; it pays nothing. `open` may pay only a part.
                 * @enum {string}
                 */
                state: "open" | "paused";
            } | null;
            /**
             * @description `paused`: accepts no deposits; withdrawals are possible.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description Whether the strategy works with gas-sponsored wallets. */
            supportsGasSponsorship: boolean;
        };
        /** @description A strategy as it was at the end of a day. */
        StrategyAt: {
            /** @description Strategy. */
            strategyId: number;
            /** @description Display name. */
            name: string;
            /** @description Name of the venue. */
            venue: string;
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /** @description Measured yields over 1, 7 and 30 days. */
            yields: {
                /** @description Length of the period: 1, 7 or 30 days. */
                days: number;
                /** @description APY of the share price since `from`; null if no reading is old enough. */
                base: string | null;
                /** @description APY of rewards in another token that the protocol tracked for depositors, at the last price of its feed. `base` and every other APY are without it, and Weir does not claim it. Null if the protocol does not report it, there is no recent price, or no reading with it is old enough; always null for past days. */
                reward: string | null;
                /** @description The reading it is measured from, from the clock of the chain. */
                from: string | null;
            }[];
            /** @description Deposits of all users; null if it was not recorded. */
            tvl: string | null;
            /** @description What all depositors together could withdraw; null if it was not recorded or not known. */
            liquidity: string | null;
            /**
             * Format: date-time
             * @description When it was read, from the clock of the chain.
             */
            readAt: string;
        };
        /** @description A cap on the share of one strategy. */
        StrategyCap: {
            /** @description Strategy. */
            strategyId: number;
            /** @description Name of the strategy. */
            strategyName: string;
            /** @description Maximum share in percent; null for no cap. */
            maxShare: string | null;
            /**
             * Format: date-time
             * @description When the cap was changed.
             */
            updatedAt: string;
        };
        /** @description Facts about the risk of a strategy. */
        StrategyRisk: {
            /** @description Strategy. */
            strategyId: number;
            /** @description Display name. */
            name: string;
            /** @description Name of the venue. */
            venue: string;
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /** @description Addresses of the contracts, by role. */
            contracts: {
                [key: string]: string;
            };
            /** @description Source that the operator's venue file names. Absent: Weir itself lists the strategy. */
            listingSource?: string;
            /** @description Checked-in facts with their sources; null if nobody checked this strategy. */
            facts: {
                /** @description Protocol and version. */
                protocol: string;
                /** @description Where the yield comes from. */
                yieldSource: string;
                /** @description What prices the collateral behind the deposits; null if nothing does. */
                oracle: string | null;
                /** @description Why withdrawals take time; absent if they are paid at once, or not at all. */
                exit?: string;
                /** @description Powers over deposits. Nobody has a power that is not listed. */
                controls: {
                    /**
                     * @description `upgrade`: replaces the code that holds deposits. `pause`: stops deposits or withdrawals. `allocate`: moves deposits to other markets or strategies. `configure`: changes caps, rates, fees or oracles.
                     * @enum {string}
                     */
                    power: "upgrade" | "pause" | "allocate" | "configure";
                    /** @description Who has it. */
                    holder: string;
                    /** @description Seconds from the announcement on the chain to the effect. 0: at once. Null: neither the sources nor the contract say. */
                    delaySeconds: number | null;
                    /** @description Note; null if there is none. */
                    note: string | null;
                }[];
                /** @description Where these facts come from. */
                sources: string[];
                /** @description Day on which the sources were read: YYYY-MM-DD. */
                checkedOn: string;
            } | null;
            /**
             * @description Current rate.
             * @example 6.00%
             */
            apy: string;
            /** @description Measured yields over 1, 7 and 30 days. */
            yields: {
                /** @description Length of the period: 1, 7 or 30 days. */
                days: number;
                /** @description APY of the share price since `from`; null if no reading is old enough. */
                base: string | null;
                /** @description APY of rewards in another token that the protocol tracked for depositors, at the last price of its feed. `base` and every other APY are without it, and Weir does not claim it. Null if the protocol does not report it, there is no recent price, or no reading with it is old enough; always null for past days. */
                reward: string | null;
                /** @description The reading it is measured from, from the clock of the chain. */
                from: string | null;
            }[];
            /** @description Deposits of all users; null until first read. */
            tvl: string | null;
            /** @description Part of `tvl` that all depositors together could withdraw now. Null until first read, and for vaults that do not report it. */
            liquidity: string | null;
            /** @description What the vault counts among its assets although its markets lost it, less what was paid to cover that, as last read; not part of `tvl`. Null until first read, and for vaults that do not report losses. */
            shortfall: string | null;
            /** @description Part of `tvl` that is lent out; null if unknown. */
            utilization: string | null;
            /** @description Which deposits it accepts, as its contracts did when last read; null until then; none while its status is not active. */
            deposits: {
                /**
                 * @description As on `GET /v1/venues`.
                 * @enum {string}
                 */
                state: "open" | "full" | "frozen" | "paused";
                /** @description The most that they accept now; null: no limit, or none that they report. */
                room: string | null;
            } | null;
            /** @description Which withdrawals its contracts pay, as last read; null until then, and where they report it only to the owner of a position. */
            withdrawals: {
                /**
                 * @description `paused`: it pays nothing.
                 * @enum {string}
                 */
                state: "open" | "paused";
            } | null;
            /** @description The token's price as its feed on the chain reported it last. Absent if no feed was read. */
            peg?: {
                /**
                 * @description US dollars for one token.
                 * @example 900.00
                 */
                price: string;
                /**
                 * @description How far that is from one dollar, above or below.
                 * @example 6.00%
                 */
                distance: string;
                /**
                 * Format: date-time
                 * @description When the feed set it, from the clock of the chain.
                 */
                at: string;
            };
            /** @description Delay before the curator can raise a cap or add a market, as `timelock` of a Morpho vault reported it last: one for a MetaMorpho, one for each function of a Vault V2. Absent for other vaults. */
            timelock?: {
                /** @description The shortest delay. */
                seconds: number;
                /** @description The vault that reports it. */
                contract: string;
            };
            /** @description The exposure of the organization to the strategy. */
            own: {
                /**
                 * @description Current value of the organization's positions.
                 * @example 900.00
                 */
                value: string;
                /** @description `value` as a share of `tvl`; null if `tvl` is unknown or zero. */
                shareOfPool: string | null;
                /**
                 * @description What the organization could certainly withdraw of this strategy now, as last read, while it withdraws nothing from another that draws on the same pool.
                 * @example 900.00
                 */
                withdrawable: string;
                /**
                 * @description Value of positions whose withdrawable amount is not known.
                 * @example 900.00
                 */
                unread: string;
            };
        };
        /** @description Facts about the risk of a strategy, with the past of its pool. */
        StrategyRiskDetail: {
            /** @description Strategy. */
            strategyId: number;
            /** @description Display name. */
            name: string;
            /** @description Name of the venue. */
            venue: string;
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /** @description Addresses of the contracts, by role. */
            contracts: {
                [key: string]: string;
            };
            /** @description Source that the operator's venue file names. Absent: Weir itself lists the strategy. */
            listingSource?: string;
            /** @description Checked-in facts with their sources; null if nobody checked this strategy. */
            facts: {
                /** @description Protocol and version. */
                protocol: string;
                /** @description Where the yield comes from. */
                yieldSource: string;
                /** @description What prices the collateral behind the deposits; null if nothing does. */
                oracle: string | null;
                /** @description Why withdrawals take time; absent if they are paid at once, or not at all. */
                exit?: string;
                /** @description Powers over deposits. Nobody has a power that is not listed. */
                controls: {
                    /**
                     * @description `upgrade`: replaces the code that holds deposits. `pause`: stops deposits or withdrawals. `allocate`: moves deposits to other markets or strategies. `configure`: changes caps, rates, fees or oracles.
                     * @enum {string}
                     */
                    power: "upgrade" | "pause" | "allocate" | "configure";
                    /** @description Who has it. */
                    holder: string;
                    /** @description Seconds from the announcement on the chain to the effect. 0: at once. Null: neither the sources nor the contract say. */
                    delaySeconds: number | null;
                    /** @description Note; null if there is none. */
                    note: string | null;
                }[];
                /** @description Where these facts come from. */
                sources: string[];
                /** @description Day on which the sources were read: YYYY-MM-DD. */
                checkedOn: string;
            } | null;
            /**
             * @description Current rate.
             * @example 6.00%
             */
            apy: string;
            /** @description Measured yields over 1, 7 and 30 days. */
            yields: {
                /** @description Length of the period: 1, 7 or 30 days. */
                days: number;
                /** @description APY of the share price since `from`; null if no reading is old enough. */
                base: string | null;
                /** @description APY of rewards in another token that the protocol tracked for depositors, at the last price of its feed. `base` and every other APY are without it, and Weir does not claim it. Null if the protocol does not report it, there is no recent price, or no reading with it is old enough; always null for past days. */
                reward: string | null;
                /** @description The reading it is measured from, from the clock of the chain. */
                from: string | null;
            }[];
            /** @description Deposits of all users; null until first read. */
            tvl: string | null;
            /** @description Part of `tvl` that all depositors together could withdraw now. Null until first read, and for vaults that do not report it. */
            liquidity: string | null;
            /** @description What the vault counts among its assets although its markets lost it, less what was paid to cover that, as last read; not part of `tvl`. Null until first read, and for vaults that do not report losses. */
            shortfall: string | null;
            /** @description Part of `tvl` that is lent out; null if unknown. */
            utilization: string | null;
            /** @description Which deposits it accepts, as its contracts did when last read; null until then; none while its status is not active. */
            deposits: {
                /**
                 * @description As on `GET /v1/venues`.
                 * @enum {string}
                 */
                state: "open" | "full" | "frozen" | "paused";
                /** @description The most that they accept now; null: no limit, or none that they report. */
                room: string | null;
            } | null;
            /** @description Which withdrawals its contracts pay, as last read; null until then, and where they report it only to the owner of a position. */
            withdrawals: {
                /**
                 * @description `paused`: it pays nothing.
                 * @enum {string}
                 */
                state: "open" | "paused";
            } | null;
            /** @description The token's price as its feed on the chain reported it last. Absent if no feed was read. */
            peg?: {
                /**
                 * @description US dollars for one token.
                 * @example 900.00
                 */
                price: string;
                /**
                 * @description How far that is from one dollar, above or below.
                 * @example 6.00%
                 */
                distance: string;
                /**
                 * Format: date-time
                 * @description When the feed set it, from the clock of the chain.
                 */
                at: string;
            };
            /** @description Delay before the curator can raise a cap or add a market, as `timelock` of a Morpho vault reported it last: one for a MetaMorpho, one for each function of a Vault V2. Absent for other vaults. */
            timelock?: {
                /** @description The shortest delay. */
                seconds: number;
                /** @description The vault that reports it. */
                contract: string;
            };
            /** @description The exposure of the organization to the strategy. */
            own: {
                /**
                 * @description Current value of the organization's positions.
                 * @example 900.00
                 */
                value: string;
                /** @description `value` as a share of `tvl`; null if `tvl` is unknown or zero. */
                shareOfPool: string | null;
                /**
                 * @description What the organization could certainly withdraw of this strategy now, as last read, while it withdraws nothing from another that draws on the same pool.
                 * @example 900.00
                 */
                withdrawable: string;
                /**
                 * @description Value of positions whose withdrawable amount is not known.
                 * @example 900.00
                 */
                unread: string;
            };
            /** @description One entry per day with a reading, oldest first. */
            history: {
                /** @description UTC day of the chain: YYYY-MM-DD. */
                day: string;
                /** @description Null if it was not recorded. */
                tvl: string | null;
                /** @description Null if it was not recorded or not known. */
                liquidity: string | null;
                /**
                 * @description Share price as a multiple of that of the first entry; absent if that was zero.
                 * @example 1.00410000
                 */
                sharePriceIndex?: string;
                /**
                 * @description APY of the share price from this reading to that of the next entry; absent in the last entry.
                 * @example 6.00%
                 */
                apy?: string;
            }[];
        };
        /** @description The body of: Submit the hash of a transaction that you broadcast. */
        SubmitHashBody: {
            /** @description Operation id. */
            operationId: number;
            /** @description Hash of the transaction on its chain. EVM: 0x and 64 hex digits. */
            txHash: string;
            /** @description Transaction id. By default matched by content, or the first unsubmitted transaction. */
            transactionId?: number;
        };
        /** @description The body of: Submit a signed transaction. */
        SubmitSignedBody: {
            /** @description Operation id. */
            operationId: number;
            /** @description EVM: hex with or without 0x, or base64. Solana: base64. */
            signedTransaction: string;
            /** @description Transaction id. By default the transaction is matched by content. */
            transactionId?: number;
            /** @description Hash to check against the bytes. */
            txHash?: string;
        };
        /** @description An accepted submission. */
        SubmittedTransaction: {
            /** @description Transaction id. */
            id: number;
            /** @description Operation id. */
            operationId: number;
            /**
             * @description The transaction was accepted and is tracked. Submitting the same hash again returns the first result, even after the transaction is final: read the operation for its status.
             * @constant
             */
            status: "pending";
            /** @description Hash of the transaction. */
            txHash: string;
        };
        /** @description One token on one blockchain. */
        TokenBalancesAt: {
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /** @description How many wallets. */
            wallets: number;
            /**
             * @description Sum of available, reserved, deployed and exiting. Also netInflow plus yieldEarned.
             * @example 900.00
             */
            totalBalance: string;
            /**
             * @description In the wallet, available for use.
             * @example 900.00
             */
            availableBalance: string;
            /**
             * @description Reserved for operations that were unfinished.
             * @example 900.00
             */
            reservedBalance: string;
            /**
             * @description Posted value of its positions, with the yield that was posted until then.
             * @example 900.00
             */
            deployedBalance: string;
            /**
             * @description Requested back from strategies, and not claimed.
             * @example 900.00
             */
            exitingBalance: string;
            /**
             * @description Inflows from outside minus outflows; may be negative.
             * @example 900.00
             */
            netInflow: string;
            /**
             * @description Yield posted since the first deposit; may be negative.
             * @example 900.00
             */
            yieldEarned: string;
        };
        /** @description When the money of one token on one blockchain could be back. */
        TokenLiquidity: {
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /**
             * @description All of it: `withinMonth` and the amounts of `unknown`, and what comes back later than a month.
             * @example 900.00
             */
            total: string;
            /**
             * @description Free in the wallets.
             * @example 900.00
             */
            inWallets: string;
            /**
             * @description `inWallets`, and what each strategy would pay now, counted on its own: strategies that draw on the same pool, such as a vault that lends to Aave beside Aave, may pay less together. Confirming the transaction can take longer than a minute.
             * @example 900.00
             */
            withinMinute: string;
            /**
             * @description `withinMinute`, and what comes back within a day at the latest.
             * @example 900.00
             */
            withinDay: string;
            /**
             * @description `withinDay`, and what comes back within 30 days at the latest.
             * @example 900.00
             */
            withinMonth: string;
            /** @description Funds whose return time is unknown, by reason. */
            unknown: {
                /**
                 * @description Held by unfinished operations.
                 * @example 900.00
                 */
                reserved: string;
                /**
                 * @description In strategies that would not pay it now, because the money is lent out or they are paused.
                 * @example 900.00
                 */
                illiquid: string;
                /**
                 * @description Each wallet could withdraw it now, but the strategy is not known to hold enough for all of them.
                 * @example 900.00
                 */
                shared: string;
                /**
                 * @description Requested back from strategies that do not say when it can be claimed.
                 * @example 900.00
                 */
                exiting?: string;
                /**
                 * @description In strategies whose withdrawable amount is not known.
                 * @example 900.00
                 */
                unread: string;
            };
        };
        /** @description The positions in one token on one blockchain. */
        TokenPositionsAt: {
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /** @description How many positions. */
            positions: number;
            /**
             * @description Posted value, with the yield that was posted until then.
             * @example 900.00
             */
            value: string;
            /**
             * @description Yield posted since the wallet's first deposit into the strategy; may be negative.
             * @example 900.00
             */
            yieldEarned: string;
        };
        /** @description The authenticator app is active now. */
        TotpConfirmed: {
            /** @description Your recovery codes, shown only now; null if you had a second factor before. */
            recoveryCodes: string[] | null;
            /** @description How many of your other sessions ended, with the first factor. */
            ended: number;
        };
        /** @description The secret of an authenticator app that is not confirmed yet. */
        TotpSecret: {
            /** @description The secret in base32, to type into the app. Shown only now. */
            secret: string;
            /** @description The same as an `otpauth:` address, to show as a QR code. */
            uri: string;
        };
        /** @description A transaction and the id of its operation. */
        Transaction: {
            /** @description Transaction id. */
            id: number;
            blockchain: components["schemas"]["Blockchain"];
            status: components["schemas"]["TransactionStatus"];
            /** @description Bytes to sign: hex on EVM chains, base64 on Solana. Present only while unsigned. */
            unsignedTransaction?: string;
            /** @description Human-readable description. */
            description: string;
            /** @description Transaction hash; present once known, even while pending. */
            txHash?: string;
            /** @description Number of confirmations, counting the including block; present once in a block. */
            confirmations?: number;
            /** @description Block that includes the transaction. */
            blockNumber?: number;
            /** @description Human-readable reason for the failure. */
            error?: string;
            failureCode?: components["schemas"]["TransactionFailureCode"];
            /** @description Decoded revert reason of the contract. */
            revertReason?: string;
            /** @description Operation id. */
            operationId: number;
        };
        /**
         * @description Reason for the failure on chain (spec 7.4).
         * @enum {string}
         */
        TransactionFailureCode: "REVERTED" | "OUT_OF_GAS" | "TIMEOUT" | "NONCE_TOO_LOW" | "INSUFFICIENT_FUNDS" | "REPLACED" | "DROPPED" | "UNKNOWN";
        /**
         * @description unsigned: ready to sign. pending: submitted, not yet final. confirmed: final. failed: will not land or reverted.
         * @enum {string}
         */
        TransactionStatus: "unsigned" | "pending" | "confirmed" | "failed";
        /** @description A transaction to sign. */
        UnsignedTransaction: {
            /** @description Transaction id; send it as transactionId. */
            attemptId: number;
            /** @description The transaction as bytes. */
            unsignedTransaction: {
                /** @description Bytes to sign: hex on EVM chains, base64 on Solana. */
                serialized: string;
            };
            evmTransaction?: components["schemas"]["EvmTransaction"];
            blockchain: components["schemas"]["Blockchain"];
            /** @description Human-readable description. */
            description: string;
            /** @description Estimate of when these bytes go stale: on Solana when their blockhash expires, if that is before the `expiresAt` of the operation, else `expiresAt`; null if nothing expires. It refuses no submission: `expiresAt` and the chain do. */
            validUntil: string | null;
        };
        /** @description The body of: Change the security settings. */
        UpdateSecuritySettingsBody: {
            /** @description Members without a second factor can only enroll one. */
            secondFactorRequired?: boolean;
            /** @description Members who may approve get an email when an operation or a change request waits for approval. */
            approvalMails?: boolean;
        };
        /** @description The body of: Change an identity provider. */
        UpdateSsoProviderBody: {
            /** @description Descriptive label. */
            name?: string;
            /** @description The client id that the provider issued. */
            clientId?: string;
            /** @description The client secret that the provider issued. Stored encrypted, never returned. */
            clientSecret?: string;
            /** @description The scopes to request; `openid` must be one of them. Default: `openid`, `email`, `profile`. */
            scopes?: string[];
            /** @description The claim that says whether the email address is verified. Default: `email_verified`; on Entra ID `xms_edov`. */
            verifiedEmailClaim?: string;
            /** @description The claim that gives roles, such as `groups`; a text or a list. A dot leads one level down if no claim has the whole name. null: claims give no roles. */
            roleClaim?: string | null;
            /** @description Roles by value of the role claim. If several values match, the highest role counts. */
            roleMappings?: components["schemas"]["SsoRoleMapping"][];
            /** @description The role of people whom no mapping matches. null: they are refused. Without a role claim: the role of new members; null: nobody becomes a member by signing in. */
            defaultRole?: ("admin" | "approver" | "viewer") | null;
            /** @description Whether a mapping may give the role owner, and a sign-in take it away. If false, no owner signs in here: they are refused with 403 FORBIDDEN, `details.reason` `owner_not_allowed`, and keep their passwords even where `enforced`. Default: false. */
            allowOwner?: boolean;
            /** @description Whether members with an address in `domains` must sign in here: their passwords are refused with 403 FORBIDDEN, `details.reason` `sso_required`. Default: false. */
            enforced?: boolean;
            /** @description An owner who may still sign in with a password. null: nobody, unless `allowOwner` is false: then every owner may. The operator of the host can still recover an owner. */
            breakGlassMemberId?: number | null;
            /** @description Proved domains of the organization whose members sign in here. A domain has one provider. */
            domains?: string[];
        };
        /** @description A protocol on one blockchain, with its strategies. */
        Venue: {
            /** @description Venue id. */
            id: number;
            /** @description Display name. */
            name: string;
            /**
             * @description Protocol identifier.
             * @example aave-v3
             * @example erc4626
             */
            protocol: string;
            blockchain: components["schemas"]["Blockchain"];
            /** @description URL of the icon; null if there is none. */
            iconUrl: string | null;
            /**
             * @description `deprecated`: no longer offered; withdrawals are possible.
             * @enum {string}
             */
            status: "active" | "paused" | "deprecated";
            /** @description Strategies of the venue; in a filtered list only those that match. */
            strategies: components["schemas"]["Strategy"][];
        };
        /** @description Venues with their strategies. */
        VenueList: {
            /** @description Venues with at least one matching strategy. */
            venues: components["schemas"]["Venue"][];
            /** @description Number of venues in this response. */
            count: number;
            /** @description Number of strategies in this response, across all venues. */
            strategyCount: number;
        };
        /** @description The state of your address. */
        VerificationRequested: {
            /** @description Whether the address is proved already. If so, no email is sent. */
            verified: boolean;
        };
        /** @description A registered wallet. */
        Wallet: {
            /** @description Wallet id, for later calls. */
            walletId: number;
            /** @description Checksummed on EVM chains, base58 on Solana. */
            walletAddress: string;
            blockchain: components["schemas"]["Blockchain"];
            /** @description Your own user or account id, for wallets that belong together. */
            userId: string | null;
            /** @description Your own metadata. */
            orgMetadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the wallet was registered.
             */
            createdAt: string;
        };
        /** @description Balance of a wallet in one token, from the ledger. */
        WalletBalance: {
            /** @description Symbol. */
            token: string;
            /** @description Token contract address. */
            tokenAddress: string;
            /** @description Balance in the wallet that is available for use. Base units of the token. */
            available: string;
            /** @description Balance reserved for unfinished operations. Base units of the token. */
            reserved: string;
            /** @description Value of positions in strategies, including yield: the same as in allocations. Base units of the token. */
            deployed: string;
            /** @description When that value was read, from the clock of the chain; null without a position. */
            deployedAt: string | null;
            /** @description Requested back from strategies that pay later, and not claimed. Absent if nothing is. Base units of the token. */
            exiting?: string;
        };
        /** @description One token of one wallet. */
        WalletBalancesAt: {
            /** @description Wallet id. */
            walletId: number;
            /** @description Address of the wallet. */
            address: string;
            /** @description Label of the wallet today; null if it has none. */
            label: string | null;
            /** @description Blockchain, lower case. */
            blockchain: components["schemas"]["Blockchain"];
            /** @description Token symbol. */
            token: string;
            /**
             * @description Sum of available, reserved, deployed and exiting. Also netInflow plus yieldEarned.
             * @example 900.00
             */
            totalBalance: string;
            /**
             * @description In the wallet, available for use.
             * @example 900.00
             */
            availableBalance: string;
            /**
             * @description Reserved for operations that were unfinished.
             * @example 900.00
             */
            reservedBalance: string;
            /**
             * @description Posted value of its positions, with the yield that was posted until then.
             * @example 900.00
             */
            deployedBalance: string;
            /**
             * @description Requested back from strategies, and not claimed.
             * @example 900.00
             */
            exitingBalance: string;
            /**
             * @description Inflows from outside minus outflows; may be negative.
             * @example 900.00
             */
            netInflow: string;
            /**
             * @description Yield posted since the first deposit; may be negative.
             * @example 900.00
             */
            yieldEarned: string;
        };
        /** @description A wallet with its profile and balances. */
        WalletDetail: {
            /** @description Wallet id, for later calls. */
            walletId: number;
            /** @description Checksummed on EVM chains, base58 on Solana. */
            walletAddress: string;
            blockchain: components["schemas"]["Blockchain"];
            /** @description Your own user or account id, for wallets that belong together. */
            userId: string | null;
            /** @description Your own metadata. */
            orgMetadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the wallet was registered.
             */
            createdAt: string;
            /** @description Wallet profile id. */
            walletProfileId: number;
            /** @description Name of the wallet profile. */
            walletProfileName: string;
            /** @description One entry for each token of the chain. */
            balances: components["schemas"]["WalletBalance"][];
        };
        /** @description A page of wallets. */
        WalletList: {
            /** @description Newest first. */
            wallets: components["schemas"]["Wallet"][];
            /** @description Total number of matching wallets. */
            total: number;
            /** @description Page number, starting at 1. */
            page: number;
            /** @description Maximum number of entries requested. */
            limit: number;
            /** @description Entries skipped. */
            offset: number;
            /** @description Whether more entries follow. */
            hasMore: boolean;
        };
        /** @description A group of wallets with its own keys, blockchains and signing window. */
        WalletProfile: {
            /** @description Wallet profile id. */
            id: number;
            /** @description Name of the profile. */
            name: string;
            /** @description Blockchains on which wallets can be registered and operations planned. */
            enabledChains: components["schemas"]["Blockchain"][];
            /** @description How long an unsigned plan stays valid, in seconds, 30 to 3600. */
            operationTimeoutSeconds: number;
            /** @description Whether it is the `default` profile, which cannot be deleted. */
            isDefault: boolean;
            /**
             * Format: date-time
             * @description When the profile was created.
             */
            createdAt: string;
        };
        /** @description Totals over all wallets of the organization; every stablecoin counts as 1 USD. */
        WalletStats: {
            /** @description Wallets of the organization. */
            totalWallets: number;
            /** @description Operational wallets. */
            monitoredWallets: number;
            /**
             * @description Sum of available, reserved, deployed and exiting over all wallets, in USD.
             * @example 900.00
             */
            totalBalance: string;
            /**
             * @description Current value of all positions, including yield, in USD.
             * @example 900.00
             */
            deployedBalance: string;
            /**
             * @description What all wallets together could withdraw of deployedBalance now, as last read, in USD. Each strategy counts on its own: those that draw on the same pool may pay less together.
             * @example 900.00
             */
            withdrawableBalance?: string;
            /**
             * @description Available for use, in USD.
             * @example 900.00
             */
            availableBalance: string;
            /**
             * @description Reserved for unfinished operations, in USD.
             * @example 900.00
             */
            reservedBalance?: string;
            /**
             * @description Requested back from strategies that pay later, and not claimed, in USD.
             * @example 900.00
             */
            exitingBalance?: string;
            /**
             * @description Lifetime yield, realized and unrealized, in USD; may be negative.
             * @example 900.00
             */
            yieldEarned: string;
            /** @description The same by token; tokens that no wallet holds or held are left out. */
            byToken?: components["schemas"]["WalletStatsOfToken"][];
        };
        /** @description Totals of one token. */
        WalletStatsOfToken: {
            /** @description Token symbol; amounts cover all blockchains. */
            token: string;
            /**
             * @description Sum of available, reserved, deployed and exiting, in USD.
             * @example 900.00
             */
            totalBalance: string;
            /**
             * @description Available for use, in USD.
             * @example 900.00
             */
            availableBalance: string;
            /**
             * @description Reserved for unfinished operations, in USD.
             * @example 900.00
             */
            reservedBalance: string;
            /**
             * @description Current value of all positions, including yield, in USD.
             * @example 900.00
             */
            deployedBalance: string;
            /**
             * @description Requested back from strategies that pay later, and not claimed, in USD.
             * @example 900.00
             */
            exitingBalance: string;
            /**
             * @description Lifetime yield, realized and unrealized, in USD; may be negative.
             * @example 900.00
             */
            yieldEarned: string;
        };
        /** @description An endpoint that receives events, without its secret. */
        Webhook: {
            /** @description Webhook id. */
            id: number;
            /** @description URL that events are sent to. */
            url: string;
            /** @description Event names, or only `*` for all events. */
            events: string[];
            /** @description Human-readable description. */
            description: string | null;
            /**
             * @description failing: a delivery ran out of attempts and none has succeeded since. disabled: nothing is sent, on request or after 3 days of failures only.
             * @enum {string}
             */
            status: "active" | "failing" | "disabled";
            /** @description Why the webhook is disabled: `asked` (on request) or `failing`; null if it is not disabled. */
            disabledBecause: ("asked" | "failing") | null;
            /** @description When the current run of failed attempts began; null after a success. */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            createdAt: string;
            /** @description Who created it; null for objects of earlier versions. */
            createdBy?: {
                /**
                 * @description A member, an API key, the service itself, or a service account.
                 * @enum {string}
                 */
                type: "user" | "key" | "system" | "service_account";
                /** @description Id of the member or the key; null for the service. */
                id: number | null;
            } | null;
            /**
             * Format: date-time
             * @description When the webhook was last changed.
             */
            updatedAt: string;
        };
        /** @description One delivery attempt. */
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description When the attempt was made.
             */
            at: string;
            /** @description HTTP status of the response; null if there was none. */
            statusCode: number | null;
            /** @description Why the attempt failed; null if it succeeded. */
            error: string | null;
            /** @description Duration in milliseconds. */
            durationMs: number;
        };
        /** @description The delivery of one event to a webhook. */
        WebhookDelivery: {
            /** @description Delivery id. */
            id: number;
            /** @description The `webhook-id` header: the same in every attempt. */
            webhookId: string;
            /** @description Id of the event, as in the list of events. */
            eventId?: number;
            /** @description Name of the event. */
            event: string;
            /**
             * @description failed: no attempts are left.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Oldest first; at most the latest 50. */
            attempts: components["schemas"]["WebhookAttempt"][];
            /** @description When the next attempt is due, possibly in the past; null if none is planned. */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it was queued.
             */
            createdAt: string;
        };
        /** @description One of these events: webhook.disabled. */
        WebhookDisabledEvent: {
            /** @description Event id; send it as `after` to continue. Ids of concurrent events may be out of order. */
            id: number;
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "webhook.disabled";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["WebhookDisabledEventData"];
        };
        /** @description The webhook that was disabled. */
        WebhookDisabledEventData: {
            /** @description Webhook id. */
            webhookEndpointId: number;
            /** @description Origin of its URL, such as https://hooks.example.com: a path may hold a secret. */
            url: string;
            /** @description The first failure since the last success. */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When it was disabled.
             */
            disabledAt: string;
        };
        /** @description One of these events: webhook.disabled. */
        WebhookDisabledWebhookEvent: {
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "webhook.disabled";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["WebhookDisabledEventData"];
        };
        /** @description The body of a webhook request. `event` decides the shape of `data`. */
        WebhookEvent: components["schemas"]["OperationWebhookEvent"] | components["schemas"]["AllocationWebhookEvent"] | components["schemas"]["CustomerWebhookEvent"] | components["schemas"]["RampTransactionWebhookEvent"] | components["schemas"]["WebhookTestWebhookEvent"] | components["schemas"]["WebhookDisabledWebhookEvent"] | components["schemas"]["BreakerWebhookEvent"] | components["schemas"]["BreakWebhookEvent"] | components["schemas"]["ExitWebhookEvent"];
        /** @description One of these events: webhook.test. */
        WebhookTestEvent: {
            /** @description Event id; send it as `after` to continue. Ids of concurrent events may be out of order. */
            id: number;
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "webhook.test";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["WebhookTestEventData"];
        };
        /** @description The webhook that is tested. */
        WebhookTestEventData: {
            /** @description Webhook id. */
            webhookEndpointId: number;
            /** @description URL of the webhook. */
            url: string;
            /** @description Human-readable message. */
            message: string;
        };
        /** @description One of these events: webhook.test. */
        WebhookTestWebhookEvent: {
            /**
             * @description Event name. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "webhook.test";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            data: components["schemas"]["WebhookTestEventData"];
        };
        /** @description The body of: Withdraw from an allocation. */
        WithdrawCoreAllocationBody: {
            /**
             * @description Decimal amount of the token, above zero.
             * @example 500.00
             */
            amount: string;
            /**
             * @description True to withdraw the whole position. False has no effect.
             * @constant
             */
            full?: false;
            /** @description True to withdraw what can be paid now and have Weir withdraw the rest as it comes free. By default a withdrawal that cannot be paid at once is refused. */
            partial?: boolean;
        } | {
            /**
             * @description True to withdraw the whole position. False has no effect.
             * @constant
             */
            full: true;
            /** @description True to withdraw what can be paid now and have Weir withdraw the rest as it comes free. By default a withdrawal that cannot be paid at once is refused. */
            partial?: boolean;
        };
        /**
         * @description Machine-readable error code. The meaning of a code never changes.
         * @enum {string}
         */
        ErrorCode: "ACCOUNT_NOT_FOUND" | "ALLOCATION_NOT_FOUND" | "AMOUNT_OUT_OF_BOUNDS" | "API_KEY_DISABLED" | "ASSET_NOT_SUPPORTED" | "CHAIN_UNAVAILABLE" | "CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_CONFLICT" | "INSUFFICIENT_BALANCE" | "INSUFFICIENT_GAS" | "INTERNAL_ERROR" | "INVALID_ADDRESS" | "INVALID_AMOUNT" | "INVALID_API_KEY" | "INVALID_OPERATION_STATUS" | "INVALID_TOKEN" | "INVALID_TOKEN_SYMBOL" | "KYB_NOT_APPROVED" | "LEASE_LOST" | "METHOD_NOT_ALLOWED" | "NOT_FOUND" | "NOT_READY" | "OPERATION_ALREADY_SUBMITTED" | "OPERATION_EXPIRED" | "OPERATION_IN_PROGRESS" | "OPERATION_NOT_FOUND" | "ORGANIZATION_NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "RAMP_UNAVAILABLE" | "RATE_LIMIT_EXCEEDED" | "RECIPIENT_ADDRESS_REQUIRED" | "RECIPIENT_ARCHIVED" | "RECIPIENT_NOT_FOUND" | "SANDBOX_ONLY" | "SIMULATION_FAILED" | "STRATEGY_NOT_ACTIVE" | "STRATEGY_NOT_FOUND" | "TOKEN_MISMATCH" | "TOKEN_NOT_FOUND" | "TRANSACTION_MISMATCH" | "TRANSACTION_NOT_FOUND" | "UNAUTHORIZED" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_ERROR" | "VENUE_NOT_FOUND" | "WALLET_NOT_FOUND";
        /** @description An error on the core surface. */
        CoreError: {
            code: components["schemas"]["ErrorCode"];
            /** @description Human-readable message; may change. */
            message: string;
            /** @description Details of this error, such as `issues: [{path, message}]` for VALIDATION_ERROR. */
            details?: {
                [key: string]: unknown;
            };
            /** @description The `x-request-id` of this response. Quote it when you contact support. */
            requestId: string;
        };
        /** @description An error on the v1 surface. */
        V1Error: {
            /** @description The HTTP status code. */
            statusCode: number;
            /** @description Human-readable message; may change. */
            message: string;
            code: components["schemas"]["ErrorCode"];
            /** @description Details of this error, such as `issues: [{path, message}]` for VALIDATION_ERROR. */
            details?: {
                [key: string]: unknown;
            };
            /** @description The `x-request-id` of this response. Quote it when you contact support. */
            requestId: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies this request in the logs. */
        RequestId: string;
        /** @description Requests allowed per window of one minute. */
        RateLimitLimit: number;
        /** @description Requests left in this window. */
        RateLimitRemaining: number;
        /** @description Seconds until the window resets. */
        RateLimitReset: number;
        /** @description Seconds to wait before retrying. */
        RetryAfter: number;
        /** @description Seconds after which the same request may succeed. Absent where time alone changes nothing. */
        RetryLater: number;
        /** @description Number of entries on all pages. */
        TotalCount: number;
        /** @description When the endpoint was deprecated (RFC 9745): `@` and seconds since 1970. Absent if a request is refused early. */
        Deprecation: string;
        /** @description `true` if this is the response to an earlier request with the same `Idempotency-Key`; else absent. */
        IdempotencyReplayed: "true";
    };
    pathItems: never;
}
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is ready for requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getBrowserSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["BrowserSession"];
                    };
                };
            };
        };
    };
    registerWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterWalletBody"];
            };
        };
        responses: {
            /** @description A registered wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /** @description A registered wallet. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
        };
    };
    listWallets: {
        parameters: {
            query?: {
                /** @description Your own user or account id, for wallets that belong together. */
                userId?: string;
                /** @description Blockchain, case-insensitive. */
                blockchain?: components["schemas"]["Blockchain"];
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Page number, starting at 1; pages have `limit` entries. Overrides `offset`. */
                page?: number;
                /** @description Alias of `limit`; overrides it. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of wallets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletList"];
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Wallet id. */
                walletId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A wallet with its profile and balances. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletDetail"];
                };
            };
        };
    };
    changeWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Wallet id. */
                walletId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeWalletBody"];
            };
        };
        responses: {
            /** @description A registered wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
        };
    };
    listVenues: {
        parameters: {
            query?: {
                /** @description Blockchain, case-insensitive. */
                blockchain?: components["schemas"]["Blockchain"];
                /**
                 * @description Token symbol, case-insensitive.
                 * @example USDC
                 */
                token?: string;
                /** @description `true`: only strategies that work with gas-sponsored wallets. */
                supportsGasSponsorship?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Venues with their strategies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VenueList"];
                };
            };
        };
    };
    getVenue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Venue id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A protocol on one blockchain, with its strategies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Venue"];
                };
            };
        };
    };
    listAllocations: {
        parameters: {
            query?: {
                /** @description All wallets with this address. */
                walletAddress?: string;
                /** @description The wallet with this id. */
                walletId?: number;
                /** @description All wallets of this user. */
                userId?: string;
                /** @description Blockchain, case-insensitive. */
                blockchain?: components["schemas"]["Blockchain"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Open positions with totals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllocationList"];
                };
            };
        };
    };
    findAllocations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FindAllocationsBody"];
            };
        };
        responses: {
            /** @description Open positions with totals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllocationList"];
                };
            };
        };
    };
    getAllocationSummary: {
        parameters: {
            query?: {
                /** @description Blockchain, case-insensitive. */
                blockchain?: components["schemas"]["Blockchain"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals of all wallets that the key may see. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllocationSummary"];
                };
            };
        };
    };
    getAllocationByStrategy: {
        parameters: {
            query?: {
                /** @description Address of the wallet on the chain of the strategy or venue. Required without walletId. */
                walletAddress?: string;
                /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
                walletId?: number;
            };
            header?: never;
            path: {
                /** @description Strategy, from the venue listing. */
                strategyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A wallet's open position in a strategy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Allocation"];
                };
            };
        };
    };
    getAllocationByVenue: {
        parameters: {
            query?: {
                /** @description Address of the wallet on the chain of the strategy or venue. Required without walletId. */
                walletAddress?: string;
                /** @description Wallet id. Required without walletAddress; if both are sent, they must match. */
                walletId?: number;
            };
            header?: never;
            path: {
                /** @description Venue, from the venue listing. */
                venueId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A wallet's open position in a strategy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Allocation"];
                };
            };
        };
    };
    getEarnings: {
        parameters: {
            query: {
                /** @description All wallets with this address. */
                walletAddress?: string;
                /** @description The wallet with this id. */
                walletId?: number;
                /** @description All wallets of this user. */
                userId?: string;
                /** @description Blockchain, case-insensitive. */
                blockchain: components["schemas"]["Blockchain"];
                /**
                 * @description Symbol, case-insensitive.
                 * @example USDC
                 */
                token: string;
                /** @description Length of the period in days, including today. */
                days?: number;
                /** @description Whether to include `byVenue`. */
                includeBreakdown?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Earnings of positions in one token, by day. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Earnings"];
                };
            };
        };
    };
    planSupply: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanSupplyBody"];
            };
        };
        responses: {
            /** @description A supply to a strategy or a withdrawal from it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    planUnwind: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanUnwindBody"];
            };
        };
        responses: {
            /** @description A supply to a strategy or a withdrawal from it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    planClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanClaimBody"];
            };
        };
        responses: {
            /** @description A supply to a strategy or a withdrawal from it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    planRevocation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanRevocationBody"];
            };
        };
        responses: {
            /** @description A supply to a strategy or a withdrawal from it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    listOperations: {
        parameters: {
            query?: {
                /** @description Only operations of this wallet. */
                walletId?: number;
                /** @description Only operations of this strategy. */
                strategyId?: number;
                /** @description Only operations with this status, case-insensitive. */
                status?: components["schemas"]["OperationStatus"];
                /** @description Only operations of this type, case-insensitive. */
                type?: components["schemas"]["OperationType"];
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of operations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationList"];
                };
            };
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Operation id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A supply to a strategy or a withdrawal from it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    cancelOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Operation id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation was cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelledOperation"];
                };
            };
        };
    };
    listExitRecords: {
        parameters: {
            query?: {
                /** @description Only exits of this wallet. */
                walletId?: number;
                /** @description pending: requested, and all of it waits. claimable: some or all of it can be claimed. claimed: none of it is left. */
                status?: "pending" | "claimable" | "claimed";
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of exits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExitList"];
                };
            };
        };
    };
    getExitRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Exit id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a wallet requested back from a strategy that pays later. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExitRecord"];
                };
            };
        };
    };
    getUnsignedTransactions: {
        parameters: {
            query?: {
                /** @description Your guarantee that the old bytes will not be broadcast: on Solana you then get new bytes before the old ones are dead. No effect on EVM chains, where the nonce rules out double landing. An admin key and the session of a browser cannot set it: 403 FORBIDDEN. */
                discard?: boolean;
            };
            header?: never;
            path: {
                /** @description Operation id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Transactions in the order to sign them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsignedTransaction"][];
                };
            };
        };
    };
    submitSigned: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitSignedBody"];
            };
        };
        responses: {
            /** @description An accepted submission. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmittedTransaction"];
                };
            };
        };
    };
    submitHash: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitHashBody"];
            };
        };
        responses: {
            /** @description An accepted submission. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmittedTransaction"];
                };
            };
        };
    };
    recoverTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Operation id. */
                operationId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverTransactionBody"];
            };
        };
        responses: {
            /** @description A hash linked to its transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveredTransaction"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Transaction id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A transaction and the id of its operation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterBody"];
            };
        };
        responses: {
            /** @description Registered and signed in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Session"];
                    };
                };
            };
            /** @description The address must be proved by the link in an email. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["MailSent"];
                    };
                };
            };
        };
    };
    confirmRegistration: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmRegistrationBody"];
            };
        };
        responses: {
            /** @description Registered and signed in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogInBody"];
            };
        };
        responses: {
            /** @description Signed in, or the second factor is missing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description A session, or for a user with a second factor a challenge. */
                        data: components["schemas"]["Session"] | components["schemas"]["SecondFactorChallenge"];
                    };
                };
            };
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshSessionBody"];
            };
        };
        responses: {
            /** @description New tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["LoggedOut"];
                    };
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Account"];
                    };
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestPasswordResetBody"];
            };
        };
        responses: {
            /** @description An email is sent if the address has an account. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["MailSent"];
                    };
                };
            };
        };
    };
    confirmPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmPasswordResetBody"];
            };
        };
        responses: {
            /** @description The password was set, and all sessions have ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ResetAccount"];
                    };
                };
            };
        };
    };
    requestEmailVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An email is sent, or the address is proved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["VerificationRequested"];
                    };
                };
            };
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmailBody"];
            };
        };
        responses: {
            /** @description An email is sent to the new address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["MailSent"];
                    };
                };
            };
        };
    };
    confirmEmailVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEmailVerificationBody"];
            };
        };
        responses: {
            /** @description The address is proved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Account"];
                    };
                };
            };
        };
    };
    completeLogIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteLogInBody"];
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    beginPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["PasskeyRequest"];
                    };
                };
            };
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInWithPasskeyBody"];
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    listFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your second factors. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SecondFactors"];
                    };
                };
            };
        };
    };
    beginTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BeginTotpBody"];
            };
        };
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["TotpSecret"];
                    };
                };
            };
        };
    };
    removeTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The app was removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmTotpBody"];
            };
        };
        responses: {
            /** @description The app counts now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["TotpConfirmed"];
                    };
                };
            };
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BeginPasskeyBody"];
            };
        };
        responses: {
            /** @description The options. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["PasskeyCreation"];
                    };
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPasskeyBody"];
            };
        };
        responses: {
            /** @description The passkey is active now. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["PasskeyAdded"];
                    };
                };
            };
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Passkey id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passkey was removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description New recovery codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["RecoveryCodes"];
                    };
                };
            };
        };
    };
    beginStepUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["PasskeyRequest"];
                    };
                };
            };
        };
    };
    stepUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StepUpBody"];
            };
        };
        responses: {
            /** @description The second factor was verified. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SteppedUp"];
                    };
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OpenSession"][];
                    };
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions have ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["EndedSessions"];
                    };
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Session id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordBody"];
            };
        };
        responses: {
            /** @description The password was changed, and your other sessions have ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["EndedSessions"];
                    };
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Only members whose email address, or a word of whose name, begins with this text, case-insensitive. */
                q?: string;
                /** @description Only members with this role, case-insensitive. */
                role?: components["schemas"]["Role"];
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Member"][];
                    };
                };
            };
        };
    };
    addMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddMemberBody"];
            };
        };
        responses: {
            /** @description The new member. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Member"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description User id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member was removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description User id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeMemberBody"];
            };
        };
        responses: {
            /** @description The updated member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Member"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    endMemberSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions have ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["EndedSessions"];
                    };
                };
            };
        };
    };
    resetMemberFactors: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description User id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The factors were removed, and the sessions have ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["EndedSessions"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    listMemberInvitations: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The open invitations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["MemberInvitation"][];
                    };
                };
            };
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMemberBody"];
            };
        };
        responses: {
            /** @description The invitation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["MemberInvitation"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    revokeMemberInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Invitation id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation was revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    acceptMemberInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptMemberInvitationBody"];
            };
        };
        responses: {
            /** @description Joined and signed in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    deleteOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteOrganizationBody"];
            };
        };
        responses: {
            /** @description The organization was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    getSecuritySettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SecuritySettings"];
                    };
                };
            };
        };
    };
    updateSecuritySettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSecuritySettingsBody"];
            };
        };
        responses: {
            /** @description The new settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SecuritySettings"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    setSignedApprovals: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetSignedApprovalsBody"];
            };
        };
        responses: {
            /** @description The new settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SecuritySettings"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    eraseOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EraseOrganizationBody"];
            };
        };
        responses: {
            /** @description The organization is deleted, and the erasure continues. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["RequestedErasure"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The receipt of the erasure. Keep it: it works without an account, and nothing else shows it again. */
                receipt: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The progress. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Erasure"];
                    };
                };
            };
        };
    };
    getNotificationSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["NotificationSettings"];
                    };
                };
            };
        };
    };
    updateNotificationSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationSettings"];
            };
        };
        responses: {
            /** @description Your new settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["NotificationSettings"];
                    };
                };
            };
        };
    };
    listQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Limits and use. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description One entry per quota. */
                        data: components["schemas"]["Quota"][];
                    };
                };
            };
        };
    };
    listSavedViews: {
        parameters: {
            query?: {
                /** @description Only views of the page with this path. */
                path?: string;
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The views. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SavedView"][];
                    };
                };
            };
        };
    };
    createSavedView: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSavedViewBody"];
            };
        };
        responses: {
            /** @description The new view. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SavedView"];
                    };
                };
            };
        };
    };
    deleteSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description View id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    changeSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description View id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeSavedViewBody"];
            };
        };
        responses: {
            /** @description The view. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SavedView"];
                    };
                };
            };
        };
    };
    generateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateApiKeyBody"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["GeneratedApiKey"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description Key id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyBody"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["GeneratedApiKey"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Only keys with a word of the name that begins with this text, case-insensitive, or whose last four characters it is. */
                q?: string;
                /** @description Only keys of this scope, case-insensitive. */
                scope?: "organization" | "profile" | "admin";
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ApiKey"][];
                    };
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Key id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key was revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    validateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the key is valid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ApiKeyValidity"];
                    };
                };
            };
        };
    };
    listServiceAccounts: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ServiceAccount"][];
                    };
                };
            };
        };
    };
    createServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateServiceAccountBody"];
            };
        };
        responses: {
            /** @description The new service account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CreatedServiceAccount"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    getOwnServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ServiceAccount"];
                    };
                };
            };
        };
    };
    getServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Service account id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ServiceAccount"];
                    };
                };
            };
        };
    };
    deleteServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Service account id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service account was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    rotateServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description Service account id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateServiceAccountBody"];
            };
        };
        responses: {
            /** @description The account with its new secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CreatedServiceAccount"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    listKeyErrors: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The errors. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["KeyError"][];
                    };
                };
            };
        };
    };
    listKeyRequests: {
        parameters: {
            query?: {
                /** @description Only those of this key. */
                keyId?: number;
                /** @description Only those of this service account. */
                serviceAccountId?: number;
                /** @description ok: only requests that succeeded. failed: only those with a status of 400 or above. */
                status?: "ok" | "failed";
                /** @description Only this HTTP method, case-insensitive. */
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
                /** @description Only this template of a route, such as `/v1/wallets/:walletId`. */
                route?: string;
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only entries with a lower id. To read a whole list, send the lowest id of the page before: then a page costs the same however deep it is, and entries that are added meanwhile shift nothing. Totals still count every match. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["KeyRequest"][];
                    };
                };
            };
        };
    };
    listWalletProfiles: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet profiles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["WalletProfile"][];
                    };
                };
            };
        };
    };
    createWalletProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWalletProfileBody"];
            };
        };
        responses: {
            /** @description The new wallet profile. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["WalletProfile"];
                    };
                };
            };
        };
    };
    getWalletProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Wallet profile id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["WalletProfile"];
                    };
                };
            };
        };
    };
    deleteWalletProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Wallet profile id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet profile was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    changeWalletProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Wallet profile id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeWalletProfileBody"];
            };
        };
        responses: {
            /** @description The updated wallet profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["WalletProfile"];
                    };
                };
            };
        };
    };
    createWalletByAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWalletByAgentBody"];
            };
        };
        responses: {
            /** @description The action. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CustodyAction"];
                    };
                };
            };
        };
    };
    listCustodyActions: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only actions with this status, case-insensitive. */
                status?: components["schemas"]["CustodyActionStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of actions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CustodyActionList"];
                    };
                };
            };
        };
    };
    getCustodyAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Action id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CustodyAction"];
                    };
                };
            };
        };
    };
    pollTransactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PollTransactionsBody"];
            };
        };
        responses: {
            /** @description The leased transaction, if any. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["AgentTransactionPoll"];
                    };
                };
            };
        };
    };
    reportTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Transaction id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportTransactionBody"];
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["AgentTransactionReport"];
                    };
                };
            };
        };
    };
    broadcastTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Transaction id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastTransactionBody"];
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["AgentTransactionReport"];
                    };
                };
            };
        };
    };
    renewLease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Transaction id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RenewLeaseBody"];
            };
        };
        responses: {
            /** @description The lease. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["AgentLease"];
                    };
                };
            };
        };
    };
    pollActions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PollActionsBody"];
            };
        };
        responses: {
            /** @description The leased action, if any. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["AgentActionPoll"];
                    };
                };
            };
        };
    };
    reportAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Action id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportActionBody"];
            };
        };
        responses: {
            /** @description The action. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["AgentActionReport"];
                    };
                };
            };
        };
    };
    getApprovalPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ApprovalPolicyVersion"];
                    };
                };
            };
        };
    };
    changeApprovalPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalPolicyChange"];
            };
        };
        responses: {
            /** @description The policy now in force. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ApprovalPolicyVersion"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    listApprovalPolicyChanges: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: {
                            /** @description The versions. */
                            changes: components["schemas"]["ApprovalPolicyVersion"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
        };
    };
    evaluateApprovalPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EvaluateApprovalPolicyBody"];
            };
        };
        responses: {
            /** @description The outcome. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["PolicyEvaluation"];
                    };
                };
            };
        };
    };
    dryRunApprovalPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DryRunApprovalPolicyBody"];
            };
        };
        responses: {
            /** @description What the policy would have decided. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["PolicyDryRun"];
                    };
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only this action. */
                action?: string;
                /** @description All but this action, such as `pollTransactions` of your agents. */
                notAction?: string;
                /** @description Only this actor, such as `user:3` or `service_account:5`, or all actors of a type: `user`, `key`, `system`, `service_account`. */
                actor?: string;
                /** @description Only this object, such as `member:12`, or all objects of a type, such as `member`. */
                object?: string;
                /** @description Only entries at or after this time. */
                from?: string;
                /** @description Only entries before this time. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["AuditLogPage"];
                    };
                };
            };
        };
    };
    listSecurityEvents: {
        parameters: {
            query?: {
                /** @description How many events to return, at most 100. */
                limit?: number;
                /** @description Return events before this one: `nextCursor` of the last page. */
                cursor?: string;
                /** @description Only events of this type. */
                type?: "credential_refused" | "sign_in_refused" | "registration_refused" | "confirmation_refused" | "access_denied" | "object_not_found" | "transaction_mismatch" | "rate_limited" | "request_refused" | "role_refused" | "owner_recovered" | "owner_recovery_refused" | "organization_erasure_requested" | "organization_erased" | "domain_approved" | "registration_invited";
                /** @description Only this actor, such as `user:3` or `service_account:5`, or all actors of a type: `user`, `key`, `system`, `service_account`. */
                actor?: string;
                /** @description Only events from this address. */
                address?: string;
                /** @description Only events with this error code. */
                code?: string;
                /** @description Only events at or after this time. */
                from?: string;
                /** @description Only events before this time. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SecurityEventPage"];
                    };
                };
            };
        };
    };
    importOrgWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportOrgWalletBody"];
            };
        };
        responses: {
            /** @description The wallet already existed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OrgWallet"];
                    };
                };
            };
            /** @description The wallet was imported. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OrgWallet"];
                    };
                };
            };
        };
    };
    listOrgWallets: {
        parameters: {
            query?: {
                /** @description Only wallets on this blockchain, case-insensitive. */
                blockchain?: components["schemas"]["Blockchain"];
                /** @description Only wallets whose label or address begins with this text, case-insensitive. */
                q?: string;
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only entries with a lower id. To read a whole list, send the lowest id of the page before: then a page costs the same however deep it is, and entries that are added meanwhile shift nothing. Totals still count every match. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description Newest first. */
                        data: components["schemas"]["OrgWallet"][];
                    };
                };
            };
        };
    };
    getOrgWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Wallet id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OrgWallet"];
                    };
                };
            };
        };
    };
    labelOrgWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Wallet id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabelOrgWalletBody"];
            };
        };
        responses: {
            /** @description The wallet was labelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["LabelledWallet"];
                    };
                };
            };
        };
    };
    monitorWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorWalletBody"];
            };
        };
        responses: {
            /** @description The operational wallet was added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["AddedOperationalWallet"];
                    };
                };
            };
        };
    };
    listMonitoredWallets: {
        parameters: {
            query?: {
                /** @description Only those of this organization wallet, one for each token. */
                orgWalletId?: number;
                /** @description Only those on this blockchain, case-insensitive. */
                blockchain?: components["schemas"]["Blockchain"];
                /** @description Only those of this token: a symbol, case-insensitive. */
                token?: string;
                /** @description Only wallets whose label or address begins with this text, case-insensitive. */
                q?: string;
                /** @description With true, only those that have less than their buffer available, and deploy what is above it or have something deployed. */
                belowBuffer?: boolean;
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only entries with a lower id. To read a whole list, send the lowest id of the page before: then a page costs the same however deep it is, and entries that are added meanwhile shift nothing. Totals still count every match. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operational wallets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description Newest first. */
                        data: components["schemas"]["OperationalWallet"][];
                    };
                };
            };
        };
    };
    getMonitoredWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Operational wallet id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operational wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OperationalWallet"];
                    };
                };
            };
        };
    };
    changeBufferSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Operational wallet id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeBufferSettingsBody"];
            };
        };
        responses: {
            /** @description The updated settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["BufferSettings"];
                    };
                };
            };
        };
    };
    listBalances: {
        parameters: {
            query: {
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description What was posted before this moment counts. Not in the future. */
                at: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["BalancesAt"];
                    };
                };
            };
        };
    };
    listPositionBalances: {
        parameters: {
            query: {
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description What was posted before this moment counts. Not in the future. */
                at: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The positions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["PositionsAt"];
                    };
                };
            };
        };
    };
    listBreaks: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description open, accepted by a person, or closed because ledger and chain agree again. */
                status?: "open" | "accepted" | "closed";
                /** @description Only breaks of wallets on this blockchain, case-insensitive. */
                blockchain?: components["schemas"]["Blockchain"];
                /** @description Only wallets whose label or address begins with this text, case-insensitive. */
                q?: string;
                /** @description The breaks of this moment; now by default. Not in the future. */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The breaks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: {
                            /** @description The breaks. */
                            breaks: components["schemas"]["LedgerBreak"][];
                            /** @description How many of all are open. */
                            open: number;
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
        };
    };
    getBreak: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Break id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The break. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["LedgerBreak"];
                    };
                };
            };
        };
    };
    acceptBreak: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Break id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptBreakBody"];
            };
        };
        responses: {
            /** @description The accepted break. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["LedgerBreak"];
                    };
                };
            };
        };
    };
    listLedgerEntries: {
        parameters: {
            query: {
                /** @description The wallet. */
                walletId: number;
                /** @description Only entries that moved this token: a symbol, case-insensitive. */
                token?: string;
                /** @description Only entries of this kind, case-insensitive. */
                kind?: components["schemas"]["LedgerEntryKind"];
                /** @description Only entries posted at this moment or later. */
                from?: string;
                /** @description Only entries posted before this moment. */
                until?: string;
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only entries with a lower id. To read a whole list, send the lowest id of the page before: then a page costs the same however deep it is, and entries that are added meanwhile shift nothing. Totals still count every match. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["LedgerEntryList"];
                    };
                };
            };
        };
    };
    getOrganizationHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The health. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OrganizationHealth"];
                    };
                };
            };
        };
    };
    listExits: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description pending: requested, and all of it waits. claimable: some or all of it can be claimed. claimed: none of it is left. */
                status?: "pending" | "claimable" | "claimed";
                /** @description Only exits of this wallet. */
                walletId?: number;
                /** @description Only exits of this operational wallet: of its wallet and token. */
                opWalletId?: number;
                /** @description Alias of opWalletId. */
                managedWalletId?: number;
                /** @description Only exits of this strategy. */
                strategyId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: {
                            /** @description The exits. */
                            exits: components["schemas"]["Exit"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
        };
    };
    getExit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Exit id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Exit"];
                    };
                };
            };
        };
    };
    getOperationQueue: {
        parameters: {
            query?: {
                /** @description Only operations with this status, case-insensitive. The status of a finished operation matches none. */
                status?: "PLANNING" | "PENDING_APPROVAL" | "EXECUTING" | "CONFIRMING";
                /** @description Only operations of this type, case-insensitive. */
                type?: components["schemas"]["CoreOperationType"];
                /** @description Only operations of this organization wallet, whatever the token. */
                orgWalletId?: number;
                /** @description Only operations of this operational wallet: of its wallet and token. */
                opWalletId?: number;
                /** @description Alias of opWalletId; if both are sent, they must match. */
                managedWalletId?: number;
                /** @description Only operations of this strategy. */
                strategyId?: number;
                /** @description Only operations of this token: a symbol, case-insensitive. */
                token?: string;
                /** @description Only operations planned at this moment or later. */
                from?: string;
                /** @description Only operations planned before this moment. */
                until?: string;
                /** @description Only the operation of the transaction with this hash; a hash that was replaced counts too. */
                txHash?: string;
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only entries with a lower id. To read a whole list, send the lowest id of the page before: then a page costs the same however deep it is, and entries that are added meanwhile shift nothing. Totals still count every match. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queue. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OperationQueue"];
                    };
                };
            };
        };
    };
    getOperationHistory: {
        parameters: {
            query?: {
                /** @description Only operations with this status, case-insensitive. The status of an unfinished operation matches none. */
                status?: "COMPLETED" | "FAILED" | "REJECTED" | "ABORTED";
                /** @description Only operations of this type, case-insensitive. */
                type?: components["schemas"]["CoreOperationType"];
                /** @description Only operations of this organization wallet, whatever the token. */
                orgWalletId?: number;
                /** @description Only operations of this operational wallet: of its wallet and token. */
                opWalletId?: number;
                /** @description Alias of opWalletId; if both are sent, they must match. */
                managedWalletId?: number;
                /** @description Only operations of this strategy. */
                strategyId?: number;
                /** @description Only operations of this token: a symbol, case-insensitive. */
                token?: string;
                /** @description Only operations planned at this moment or later. */
                from?: string;
                /** @description Only operations planned before this moment. */
                until?: string;
                /** @description Only the operation of the transaction with this hash; a hash that was replaced counts too. */
                txHash?: string;
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only entries with a lower id. To read a whole list, send the lowest id of the page before: then a page costs the same however deep it is, and entries that are added meanwhile shift nothing. Totals still count every match. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the history. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OperationHistory"];
                    };
                };
            };
        };
    };
    getOperationStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OperationStats"];
                    };
                };
            };
        };
    };
    getCoreOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Operation id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CoreOperation"];
                    };
                };
            };
        };
    };
    getCoreAllocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Allocation id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The allocation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CoreAllocationDetail"];
                    };
                };
            };
        };
    };
    getWalletStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["WalletStats"];
                    };
                };
            };
        };
    };
    listCoreAllocations: {
        parameters: {
            query?: {
                /** @description Only allocations in this status, case-insensitive. Defaults to ACTIVE. */
                status?: "ACTIVE" | "UNWINDING" | "CLOSED";
                /** @description With true and without `status`: ACTIVE and UNWINDING, which is all that hold something. */
                includeUnwinding?: boolean;
                /** @description Only allocations of this operational wallet. */
                opWalletId?: number;
                /** @description Alias of opWalletId; if both are sent, they must match. */
                managedWalletId?: number;
                /** @description Only allocations of this token: a symbol, case-insensitive. */
                token?: string;
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only entries with a lower id. To read a whole list, send the lowest id of the page before: then a page costs the same however deep it is, and entries that are added meanwhile shift nothing. Totals still count every match. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of allocations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CoreAllocationList"];
                    };
                };
            };
        };
    };
    createCoreAllocation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCoreAllocationBody"];
            };
        };
        responses: {
            /** @description The deployment was planned. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["NewAllocation"];
                    };
                };
            };
        };
    };
    showAccountPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    startSso: {
        parameters: {
            query?: {
                /** @description Email address, case-insensitive. */
                email?: string;
                /** @description Organization id. */
                organization?: number;
                /** @description Identity provider id, for an organization that has several. */
                provider?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page to open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["StartedSignIn"];
                    };
                };
            };
            /** @description Redirects a browser to the page. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    finishSso: {
        parameters: {
            query: {
                /** @description The state. */
                state: string;
                /** @description The authorization code. */
                code?: string;
                /** @description The issuer, from providers that send it. */
                iss?: string;
                /** @description The error, if the provider refused. */
                error?: string;
            };
            header?: never;
            path: {
                /** @description Identity provider id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SignInCode"];
                    };
                    "text/html": string;
                };
            };
        };
    };
    finishSharedSso: {
        parameters: {
            query: {
                /** @description The state. */
                state: string;
                /** @description The authorization code. */
                code?: string;
                /** @description The issuer, from providers that send it. */
                iss?: string;
                /** @description The error, if the provider refused. */
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SignInCode"];
                    };
                    "text/html": string;
                };
            };
        };
    };
    exchangeSsoCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExchangeSsoCodeBody"];
            };
        };
        responses: {
            /** @description Signed in, or the second factor is missing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description A session, or for a user with a second factor a challenge. */
                        data: components["schemas"]["Session"] | components["schemas"]["SecondFactorChallenge"];
                    };
                };
            };
        };
    };
    listSsoProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identity providers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SsoProvider"][];
                    };
                };
            };
        };
    };
    createSsoProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSsoProviderBody"];
            };
        };
        responses: {
            /** @description The new identity provider. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SsoProvider"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    deleteSsoProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description Identity provider id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identity provider was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    updateSsoProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description Identity provider id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSsoProviderBody"];
            };
        };
        responses: {
            /** @description The updated identity provider. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SsoProvider"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    listSsoDomains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domains. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SsoDomain"][];
                    };
                };
            };
        };
    };
    claimSsoDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimSsoDomainBody"];
            };
        };
        responses: {
            /** @description The claimed domain. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SsoDomain"];
                    };
                };
            };
        };
    };
    verifySsoDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Domain id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain is proved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SsoDomain"];
                    };
                };
            };
        };
    };
    releaseSsoDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description Domain id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain was released. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    admitMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdmitMemberBody"];
            };
        };
        responses: {
            /** @description The new member. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Member"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    unlinkMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description User id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The accounts are unlinked, and the sessions have ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["EndedSessions"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    getApprovalRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Operation id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What to sign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ApprovalSignatureRequest"];
                    };
                };
            };
        };
    };
    approveOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Operation id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApproveOperationBody"];
            };
        };
        responses: {
            /** @description The approval was recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OperationApproval"];
                    };
                };
            };
        };
    };
    rejectOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Operation id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RejectOperationBody"];
            };
        };
        responses: {
            /** @description The operation was rejected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OperationRejection"];
                    };
                };
            };
        };
    };
    getChangePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change policy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangePolicy"];
                    };
                };
            };
        };
    };
    changeChangePolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeChangePolicyBody"];
            };
        };
        responses: {
            /** @description The policy now in force. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangePolicy"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    listChangeRequests: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description requested: waits for approvals. approved: its requester can complete it from `earliestAt`. completed: the change was made. rejected, cancelled, expired: it never will be. */
                status?: "requested" | "approved" | "rejected" | "cancelled" | "expired" | "completed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: {
                            /** @description The change requests. */
                            changeRequests: components["schemas"]["ChangeRequest"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
        };
    };
    getChangeRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Change request id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    approveChangeRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Change request id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApproveChangeRequestBody"];
            };
        };
        responses: {
            /** @description The approval was recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    rejectChangeRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Change request id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RejectChangeRequestBody"];
            };
        };
        responses: {
            /** @description The request was rejected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    cancelChangeRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Change request id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request was cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    listDestinations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The allow-list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: {
                            /** @description Whether tokens may be sent only to addresses on the list. False by default. */
                            enforced: boolean;
                            /** @description The list. */
                            destinations: components["schemas"]["Destination"][];
                        };
                    };
                };
            };
        };
    };
    addDestination: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddDestinationBody"];
            };
        };
        responses: {
            /** @description The new destination. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Destination"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    removeDestination: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description Destination id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The destination was removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    enforceDestinations: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnforceDestinationsBody"];
            };
        };
        responses: {
            /** @description Whether the list is enforced. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["DestinationEnforcement"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    withdrawCoreAllocation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Allocation id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WithdrawCoreAllocationBody"];
            };
        };
        responses: {
            /** @description The withdrawal was planned. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["PlannedWithdrawal"];
                    };
                };
            };
            /** @description Nothing can be paid now. The withdrawal is awaited. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["OnlyAwaitedWithdrawal"];
                    };
                };
            };
        };
    };
    cancelAwaitedWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Allocation id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The withdrawal is no longer awaited. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    listStrategyCaps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["StrategyCap"][];
                    };
                };
            };
        };
    };
    setStrategyCap: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description Strategy id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetStrategyCapBody"];
            };
        };
        responses: {
            /** @description The current cap. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["StrategyCap"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    getDepositLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["DepositLimits"];
                    };
                };
            };
        };
    };
    setDepositLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetDepositLimitsBody"];
            };
        };
        responses: {
            /** @description The limits now in force. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["DepositLimits"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    getCircuitBreakers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings and the breakers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CircuitBreakers"];
                    };
                };
            };
        };
    };
    setCircuitBreakers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetCircuitBreakersBody"];
            };
        };
        responses: {
            /** @description The settings now in force, with no breakers listed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CircuitBreakers"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    acceptCircuitBreaker: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptCircuitBreakerBody"];
            };
        };
        responses: {
            /** @description The breaker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CircuitBreaker"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    listStrategyRisks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The facts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        /** @description By strategy id. */
                        data: components["schemas"]["StrategyRisk"][];
                    };
                };
            };
        };
    };
    getStrategyRisk: {
        parameters: {
            query?: {
                /** @description Length of the history in days. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description Strategy id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The facts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["StrategyRiskDetail"];
                    };
                };
            };
        };
    };
    listStrategyHistory: {
        parameters: {
            query: {
                /**
                 * @description UTC day of the chain: YYYY-MM-DD.
                 * @example 2026-01-31
                 */
                day: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The strategies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["StrategiesAt"];
                    };
                };
            };
        };
    };
    getLiquidity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The amounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Liquidity"];
                    };
                };
            };
        };
    };
    previewRebalance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Operational wallet id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewRebalanceBody"];
            };
        };
        responses: {
            /** @description The preview. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["RebalancePreview"];
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Only webhooks whose URL or description contains this text, case-insensitive. */
                q?: string;
                /** @description Only webhooks in this status, case-insensitive. */
                status?: "active" | "failing" | "disabled";
                /** @description How many entries to return, at most 100. Defaults to all. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Webhook"][];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description The new webhook. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CreatedWebhook"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Webhook id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Webhook id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description Webhook id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookBody"];
            };
        };
        responses: {
            /** @description The updated webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Webhook id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["RotatedWebhookSecret"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Webhook id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test event was queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["QueuedWebhookTest"];
                    };
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only deliveries in this status, case-insensitive. */
                status?: "pending" | "delivered" | "failed";
                /** @description Only deliveries of events about this operation. */
                operationId?: number;
                /** @description Only deliveries of events about this ramp transaction. */
                rampTransactionId?: number;
            };
            header?: never;
            path: {
                /** @description Webhook id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["WebhookDelivery"][];
                    };
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Delivery id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, due again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
    listOrganizationEvents: {
        parameters: {
            query?: {
                /** @description Return events after this id. Defaults to the oldest event. */
                after?: number;
                /** @description How many events to return, at most 100. */
                limit?: number;
                /** @description Return events before this id, newest first; 0 begins with the newest, as a filter without it does. Not with `after`. */
                before?: number;
                /** @description Only events of this name, case-insensitive. */
                event?: "operation.created" | "operation.approved" | "operation.rejected" | "operation.executing" | "operation.completed" | "operation.failed" | "allocation.created" | "allocation.closed" | "customer.approved" | "customer.declined" | "transaction.updated" | "transaction.completed" | "transaction.failed" | "transaction.reversed" | "offramp_transaction.updated" | "offramp_transaction.completed" | "offramp_transaction.failed" | "offramp_transaction.reversed" | "webhook.test" | "webhook.disabled" | "strategy.breaker_opened" | "strategy.breaker_closed" | "break.opened" | "break.accepted" | "break.closed" | "exit.pending" | "exit.claimable" | "exit.claimed" | "allocation.loss_booked" | "allocation.fee_booked";
                /** @description Only events about this operation. */
                operationId?: number;
                /** @description Only events about this payment. */
                rampTransactionId?: number;
                /** @description Only events about this organization wallet: its operations, allocations, exits and breaks. */
                walletId?: number;
                /** @description Only events at this moment or later. */
                from?: string;
                /** @description Only events before this moment. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, oldest first; newest first with `before`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["EventList"];
                    };
                };
            };
        };
    };
    getOrganizationEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Event id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Event"];
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Return events after this id. Defaults to the oldest event. */
                after?: number;
                /** @description How many events to return, at most 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
        };
    };
    startOrganizationKyb: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A started verification. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KybStarted"];
                };
            };
        };
    };
    getOrganizationKyb: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Verification status of the organization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KybStatus"];
                };
            };
        };
    };
    checkOrganizationKyb: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Verification status of the organization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KybStatus"];
                };
            };
        };
    };
    simulateApprovalOfOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Verification status of the organization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KybStatus"];
                };
            };
        };
    };
    simulateRejectionOfOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Verification status of the organization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KybStatus"];
                };
            };
        };
    };
    listRecipients: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. Defaults to 1. Overrides `offset`. */
                page?: number;
                /** @description How many entries to return, at most 100. Defaults to 20. */
                per_page?: number;
                /** @description Alias of `per_page`, which overrides it. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only recipients with this status, case-insensitive. */
                kyb_status?: components["schemas"]["KybState"];
                /** @description true: only archived recipients. Default: only active recipients. */
                archived?: boolean;
                /** @description Only the recipient with this id or external id, and those with a word of the name that begins with this text, case-insensitive. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of recipients. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientList"];
                };
            };
        };
    };
    createRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRecipientBody"];
            };
        };
        responses: {
            /** @description A person or business that you pay or that pays you. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recipient"];
                };
            };
        };
    };
    getRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A recipient with its address and bank accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientDetail"];
                };
            };
        };
    };
    changeRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeRecipientBody"];
            };
        };
        responses: {
            /** @description A recipient with its address and bank accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientDetail"];
                };
            };
        };
    };
    archiveRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A recipient with its address and bank accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientDetail"];
                };
            };
        };
    };
    simulateApprovalOfRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A recipient with its address and bank accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientDetail"];
                };
            };
        };
    };
    simulateRejectionOfRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A recipient with its address and bank accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientDetail"];
                };
            };
        };
    };
    listRecipientOnrampAccounts: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. Overrides `offset`. */
                page?: number;
                /** @description How many entries to return, at most 100. Defaults to 20 with `page`, else to all. */
                per_page?: number;
                /** @description Alias of `per_page`, which overrides it. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description On-ramp accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnrampAccount"][];
                };
            };
        };
    };
    openRecipientOnrampAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OpenRecipientOnrampAccountBody"];
            };
        };
        responses: {
            /** @description A bank account. Payments to it arrive as tokens in a wallet. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnrampAccount"];
                };
            };
        };
    };
    listRecipientOfframpAccounts: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. Overrides `offset`. */
                page?: number;
                /** @description How many entries to return, at most 100. Defaults to 20 with `page`, else to all. */
                per_page?: number;
                /** @description Alias of `per_page`, which overrides it. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Off-ramp accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfframpAccount"][];
                };
            };
        };
    };
    openRecipientOfframpAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OpenRecipientOfframpAccountBody"];
            };
        };
        responses: {
            /** @description A deposit address that pays out to a bank account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfframpAccount"];
                };
            };
        };
    };
    listOrganizationOnrampAccounts: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. Overrides `offset`. */
                page?: number;
                /** @description How many entries to return, at most 100. Defaults to 20 with `page`, else to all. */
                per_page?: number;
                /** @description Alias of `per_page`, which overrides it. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description On-ramp accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnrampAccount"][];
                };
            };
        };
    };
    openOrganizationOnrampAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OpenOrganizationOnrampAccountBody"];
            };
        };
        responses: {
            /** @description A bank account. Payments to it arrive as tokens in a wallet. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnrampAccount"];
                };
            };
        };
    };
    getOrganizationOnrampAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A bank account. Payments to it arrive as tokens in a wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnrampAccount"] | null;
                };
            };
        };
    };
    listOrganizationOfframpAccounts: {
        parameters: {
            query?: {
                /** @description Page number, starting at 1. Overrides `offset`. */
                page?: number;
                /** @description How many entries to return, at most 100. Defaults to 20 with `page`, else to all. */
                per_page?: number;
                /** @description Alias of `per_page`, which overrides it. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Off-ramp accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfframpAccount"][];
                };
            };
        };
    };
    openOrganizationOfframpAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OpenOrganizationOfframpAccountBody"];
            };
        };
        responses: {
            /** @description A deposit address that pays out to a bank account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfframpAccount"];
                };
            };
        };
    };
    listRampTransactions: {
        parameters: {
            query?: {
                /** @description Only transactions of this type, case-insensitive. */
                type?: components["schemas"]["RampTransactionType"];
                /** @description Only transactions with this status, case-insensitive. */
                status?: components["schemas"]["RampTransactionStatus"];
                /** @description Only transactions of this recipient. */
                ramp_recipient_id?: number;
                /** @description Only transactions created at or after this day (`2026-03-01`, UTC) or time (ISO 8601). */
                date_from?: string;
                /** @description Only transactions created until this day (inclusive) or time. */
                date_to?: string;
                /** @description Page number, starting at 1. Defaults to 1. Overrides `offset`. */
                page?: number;
                /** @description How many entries to return, at most 100. Defaults to 20. */
                per_page?: number;
                /** @description Alias of `per_page`, which overrides it. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of ramp transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RampTransactionList"];
                };
            };
        };
    };
    exportRampTransactions: {
        parameters: {
            query?: {
                /** @description Export format; only `csv` is supported, case-insensitive. */
                format?: "csv";
                /** @description Only transactions of this type, case-insensitive. */
                type?: components["schemas"]["RampTransactionType"];
                /** @description Only transactions with this status, case-insensitive. */
                status?: components["schemas"]["RampTransactionStatus"];
                /** @description Only transactions of this recipient. */
                ramp_recipient_id?: number;
                /** @description Only transactions created at or after this day (`2026-03-01`, UTC) or time (ISO 8601). */
                date_from?: string;
                /** @description Only transactions created until this day (inclusive) or time. */
                date_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getRampTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Ramp transaction id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A payment between a bank and a chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RampTransaction"];
                };
            };
        };
    };
    listOrganizationRampTransactions: {
        parameters: {
            query?: {
                /** @description Only transactions of this type, case-insensitive. */
                type?: components["schemas"]["RampTransactionType"];
                /** @description Only transactions with this status, case-insensitive. */
                status?: components["schemas"]["RampTransactionStatus"];
                /** @description Only transactions of this recipient. */
                ramp_recipient_id?: number;
                /** @description Only transactions created at or after this day (`2026-03-01`, UTC) or time (ISO 8601). */
                date_from?: string;
                /** @description Only transactions created until this day (inclusive) or time. */
                date_to?: string;
                /** @description Page number, starting at 1. Defaults to 1. Overrides `offset`. */
                page?: number;
                /** @description How many entries to return, at most 100. Defaults to 20. */
                per_page?: number;
                /** @description Alias of `per_page`, which overrides it. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of ramp transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RampTransactionList"];
                };
            };
        };
    };
    exportOrganizationRampTransactions: {
        parameters: {
            query?: {
                /** @description Export format; only `csv` is supported, case-insensitive. */
                format?: "csv";
                /** @description Only transactions of this type, case-insensitive. */
                type?: components["schemas"]["RampTransactionType"];
                /** @description Only transactions with this status, case-insensitive. */
                status?: components["schemas"]["RampTransactionStatus"];
                /** @description Only transactions of this recipient. */
                ramp_recipient_id?: number;
                /** @description Only transactions created at or after this day (`2026-03-01`, UTC) or time (ISO 8601). */
                date_from?: string;
                /** @description Only transactions created until this day (inclusive) or time. */
                date_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getOrganizationRampTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Ramp transaction id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A payment between a bank and a chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RampTransaction"];
                };
            };
        };
    };
    listOfframpTransactions: {
        parameters: {
            query?: {
                /** @description Only transactions with this status, case-insensitive. */
                status?: components["schemas"]["RampTransactionStatus"];
                /** @description Only transactions of this recipient. */
                ramp_recipient_id?: number;
                /** @description Only transactions created at or after this day (`2026-03-01`, UTC) or time (ISO 8601). */
                date_from?: string;
                /** @description Only transactions created until this day (inclusive) or time. */
                date_to?: string;
                /** @description Page number, starting at 1. Defaults to 1. Overrides `offset`. */
                page?: number;
                /** @description How many entries to return, at most 100. Defaults to 20. */
                per_page?: number;
                /** @description Alias of `per_page`, which overrides it. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of ramp transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RampTransactionList"];
                };
            };
        };
    };
    exportOfframpTransactions: {
        parameters: {
            query?: {
                /** @description Export format; only `csv` is supported, case-insensitive. */
                format?: "csv";
                /** @description Only transactions with this status, case-insensitive. */
                status?: components["schemas"]["RampTransactionStatus"];
                /** @description Only transactions of this recipient. */
                ramp_recipient_id?: number;
                /** @description Only transactions created at or after this day (`2026-03-01`, UTC) or time (ISO 8601). */
                date_from?: string;
                /** @description Only transactions created until this day (inclusive) or time. */
                date_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getOfframpTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Ramp transaction id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A payment between a bank and a chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RampTransaction"];
                };
            };
        };
    };
    summarizeRampTransactions: {
        parameters: {
            query?: {
                /** @description Only transactions created at or after this day (`2026-03-01`, UTC) or time (ISO 8601). */
                date_from?: string;
                /** @description Only transactions created until this day (inclusive) or time. */
                date_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals over ramp transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RampSummary"];
                };
            };
        };
    };
    summarizeOrganizationRamp: {
        parameters: {
            query?: {
                /** @description Only transactions created at or after this day (`2026-03-01`, UTC) or time (ISO 8601). */
                date_from?: string;
                /** @description Only transactions created until this day (inclusive) or time. */
                date_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals over ramp transactions, in camelCase. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationRampSummary"];
                };
            };
        };
    };
    getOfframpStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Verification status and off-ramp accounts of the organization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfframpStatus"];
                };
            };
        };
    };
    quoteRamp: {
        parameters: {
            query: {
                /** @description Defaults to onramp; case-insensitive. */
                type?: components["schemas"]["RampTransactionType"];
                /** @description Gross amount in USD, such as `50000` or `50000.00`. */
                usd_amount: string;
                /** @description Token symbol. Defaults to USDC. */
                asset?: string;
                /** @description Blockchain, case-insensitive. */
                blockchain?: components["schemas"]["Blockchain"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current cost of a payment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RampQuote"];
                };
            };
        };
    };
    getRampFees: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Fee terms of your organization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RampFees"];
                };
            };
        };
    };
    simulateOnramp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateOnrampBody"];
            };
        };
        responses: {
            /** @description An accepted simulation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationHandle"];
                };
            };
        };
    };
    simulateOfframp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateOfframpBody"];
            };
        };
        responses: {
            /** @description An accepted simulation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationHandle"];
                };
            };
        };
    };
    simulateRecipientOnramp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateRecipientOnrampBody"];
            };
        };
        responses: {
            /** @description An accepted simulation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationHandle"];
                };
            };
        };
    };
    simulateRecipientOfframp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateRecipientOfframpBody"];
            };
        };
        responses: {
            /** @description An accepted simulation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationHandle"];
                };
            };
        };
    };
    eraseRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Recipient id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The personal data is destroyed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ErasedRecipient"];
                    };
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description What to search for; spaces around it do not count. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What matches. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SearchResults"];
                    };
                };
            };
        };
    };
    takeProviderEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Acknowledgement of a message from the banking provider. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RampEventsTaken"];
                };
            };
        };
    };
    showKybForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unguessable token of the form. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The form, or its status once submitted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    sendKybForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unguessable token of the form. */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["SendKybFormBody"];
            };
        };
        responses: {
            /** @description The form was submitted before: its status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The form was submitted: redirect to its status page. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSandboxNetworks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The embedded chains. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxNetwork"][];
                };
            };
        };
    };
    giveFromFaucet: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiveFromFaucetBody"];
            };
        };
        responses: {
            /** @description A transfer from the faucet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaucetGift"];
                };
            };
        };
    };
    advanceTime: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceTimeBody"];
            };
        };
        responses: {
            /** @description The time on the embedded chains. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainsTime"];
                };
            };
        };
    };
    setChainFault: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetChainFaultBody"];
            };
        };
        responses: {
            /** @description The current setting of a fault. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainFault"];
                };
            };
        };
    };
    getSandboxStrategyState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Strategy id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the venue of a strategy, read from its chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxStrategyState"];
                };
            };
        };
    };
    setSandboxStrategyState: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Strategy id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SetSandboxStrategyStateBody"];
            };
        };
        responses: {
            /** @description The state of the venue of a strategy, read from its chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxStrategyState"];
                };
            };
        };
    };
    callSandboxRpc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An embedded chain. */
                blockchain: components["schemas"]["Blockchain"];
            };
            cookie?: never;
        };
        /** @description A JSON-RPC 2.0 request, or an array of them. */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description A JSON-RPC 2.0 response, or an array of them; errors too. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Only notifications were sent. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    preflightSandboxRpc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An embedded chain. */
                blockchain: components["schemas"]["Blockchain"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The CORS headers. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSandboxMails: {
        parameters: {
            query?: {
                /** @description How many entries to return, at most 100. */
                limit?: number;
                /** @description How many entries to skip, newest first. */
                offset?: number;
                /** @description Only emails to this address, in lower case. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The emails. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["MailSummary"][];
                    };
                };
            };
        };
    };
    getSandboxMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Mail id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The email. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Mail"];
                    };
                };
            };
        };
    };
    listSandboxAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SandboxAgent"][];
                    };
                };
            };
        };
    };
    startSandboxAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A string of 1 to 255 characters, scoped to the organization (before one exists: to the path and the address). Repeating the same request with the same key within 24 hours has no further effect and returns the first response, with `Idempotency-Replayed: true` and secrets set to null. If the first request is still running (`details.reason` is `request_in_progress`, with `Retry-After`), or the method, path or body differs (`different_request`): 409 IDEMPOTENCY_CONFLICT. Server errors and 401, 403, 408 and 429 are not stored. */
                "Idempotency-Key"?: string;
                /** @description The id of an approved change request, to complete it by repeating its request. Only needed if the change policy of the organization has a rule for this kind of change: without it, nothing is changed and the response names a change request (core: 202; v1: 403 FORBIDDEN with `details.reason` `change_request_required`). While it is not approved or cools off: 403 FORBIDDEN; if it has ended or the request differs: 409 CONFLICT. Use another `Idempotency-Key` than for the request without this header. */
                "Change-Request-Id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartSandboxAgentBody"];
            };
        };
        responses: {
            /** @description The agent. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["SandboxAgent"];
                    };
                };
            };
            /** @description Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    stopSandboxAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Agent id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent was stopped. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true; errors have a different shape.
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    onOperationCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperationWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOperationApproved: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperationWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOperationRejected: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperationWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOperationExecuting: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperationWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOperationCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperationWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOperationFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperationWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAllocationCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AllocationWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAllocationClosed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AllocationWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerApproved: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerDeclined: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RampTransactionWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RampTransactionWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RampTransactionWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionReversed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RampTransactionWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOfframpTransactionUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RampTransactionWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOfframpTransactionCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RampTransactionWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOfframpTransactionFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RampTransactionWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOfframpTransactionReversed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RampTransactionWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookDisabledWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onStrategyBreakerOpened: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BreakerWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onStrategyBreakerClosed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BreakerWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBreakOpened: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BreakWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBreakAccepted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BreakWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBreakClosed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BreakWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onExitPending: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExitWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onExitClaimable: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExitWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onExitClaimed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExitWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAllocationLossBooked: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AllocationWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAllocationFeeBooked: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event; the same in every attempt. Use it to recognize repetitions. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AllocationWebhookEvent"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
