----------------------------- MODULE ConfigMerge -----------------------------
(***************************************************************************)
(* Clients and a swarm. Each client edits, pushes, fetches and resolves    *)
(* independently, in any order. Between clients and swarm, the network     *)
(* may delay, lose or repeat batches, the swarm may refuse a deletion,     *)
(* and the network may split in two.                                       *)
(*                                                                         *)
(* The swarm stores *forms*. A form <<n, copy>> is message n of the book   *)
(* under one of its ciphertexts. All honest clients make the same          *)
(* ciphertext of a message, copy 0 (CM-ENCRYPT-DETERMINISTIC). A form      *)
(* <<0, k>> is not a valid message: it cannot be decrypted, or it breaks   *)
(* a rule.                                                                 *)
(*                                                                         *)
(* Each action corresponds to one clause: CM-CLIENT-FETCH,                 *)
(* CM-CLIENT-RESOLVE, CM-CLIENT-EDIT-KEPT, CM-CLIENT-PUSH-EDIT,            *)
(* CM-CLIENT-PUSH-MERGE.                                                   *)
(***************************************************************************)
EXTENDS Messages

CONSTANTS
    Client,       \* the clients
    Settings,     \* the settings they may agree on: a set of [window, signed, readers]
    Menu,         \* the single changes that an edit may make
    OutsideMenu,  \* the single changes that an outsider may make
    MaxEdits,     \* the maximum number of edits in a behaviour
    Sampled,      \* TRUE: Steps is a small random sample; FALSE: Steps is complete
    Mishaps       \* the faults that may happen, a subset of these:
                  \*   rethink   a client changes an edit before it is pushed
                  \*   dawdle    a client resolves later than it fetches
                  \*   partial   a fetch returns only some of the stored forms
                  \*   refuse    the swarm does not permit deletion
                  \*   delay     batches stay on the wire; lose: batches on the wire may be lost
                  \*   repeat    a message is stored again; copy: under another ciphertext
                  \*   junk      something that is not a message is stored
                  \*   outsider  an outsider stores an update
                  \*   cut       the network splits in two

VARIABLES
    agreed,     \* <<[window |-> N, signed |-> whether messages must be signed,
                \*   readers |-> the clients that cannot sign]>>; <<>> in the initial state
    book,       \* all messages ever stored or sent, and the unpushed merges that clients
                \* resolved (CM-E72), with the order of their hashes
    known,      \* client -> the forms it knows
    head,       \* client -> <<its head>>, or <<>> if it has no head yet
    stored,     \* client -> FALSE while its head is a merge that it has not pushed
    edit,       \* client -> <<the data after its edit>>, or <<>> if it has no edit
    swarm,      \* the forms that are stored: one set, or two while the network is cut
    far,        \* the clients on the second side of a cut network
    wire,       \* the batches that have not arrived yet, in the order in which they were pushed
    (* Only the laws use the variables below. The variables above do not *)
    (* depend on them.                                                   *)
    past,       \* message -> the messages it was made from, all its ancestors, its changes,
                \* whether it was ever sent
    standing,   \* client -> {its head}, or the messages that its unpushed head merges
    edits,      \* the number of edits so far
    lost        \* whether any batch was lost

exchange == <<known, head, stored, edit, standing>>
network == <<swarm, far, wire>>
vars == <<agreed, book, exchange, network, past, edits, lost>>

-----------------------------------------------------------------------------
(* The state of a client *)

HeadData(c) == IF head[c] = <<>> THEN Empty ELSE head[c][1].data
Seen(c) == IF edit[c] = <<>> THEN HeadData(c) ELSE edit[c][1]    \* the application's data
Valid(forms) == {form[1] : form \in forms} \ {0}                 \* CM-IGNORE-INVALID
Window == agreed[1].window                                       \* CM-CLIENT-WINDOW-AGREED
CanSign(c) == c \notin agreed[1].readers
Signature == IF agreed[1].signed THEN "signed" ELSE ""
Side(c) == IF c \in far THEN 2 ELSE 1

Resolved(forms, canSign) ==
    Resolution(book, Window, Listed(Valid(forms)), Signature, canSign)

(* Applies the edit from the data `old` to `seen` to the data `new`.     *)
(* CM-CLIENT-EDIT-KEPT.                                                  *)
EditOn(new, old, seen) ==
    LET edited == Applied(new, Diff(old, seen), seen)
    IN  IF edited = new THEN <<>> ELSE <<edited>>

(* <<The message that a push sends>>, or <<>> if there is nothing to     *)
(* push. CM-CLIENT-PUSH-EDIT, CM-CLIENT-PUSH-MERGE,                      *)
(* CM-CLIENT-UNREADABLE, CM-SIGN-CANNOT-UPDATE.                          *)
ToPush(c) ==
    IF edit[c] = <<>> THEN IF stored[c] THEN <<>> ELSE head[c]
    ELSE IF ~CanSign(c) THEN <<>>
    ELSE IF head[c] = <<>>
         THEN IF known[c] /= {} /\ Valid(known[c]) = {} THEN <<>>
              ELSE <<First(book, Window, edit[c][1], Signature)>>
    ELSE IF stored[c]
         THEN <<Following(book, Window, NumberOf(book, head[c][1]), edit[c][1], Signature)>>
    ELSE <<WithLocalChange(head[c][1], edit[c][1])>>

(* CM-CLIENT-BATCH, CM-CLIENT-DELETE-KNOWN *)
Obsolete(c, message) ==
    {form \in known[c] :
        /\ form[1] /= 0
        /\ \/ form[1] \in Range(message.rows)
           \/ ~Within(Window, Seqno(book, form[1]), message.seqno)}

-----------------------------------------------------------------------------
(* Client actions *)

(* The clients agree on N and on keys: CM-CLIENT-WINDOW-AGREED,          *)
(* CM-SIGN-CONTEXT.                                                      *)
Agree(setting) ==
    /\ agreed = <<>>
    /\ setting \in Settings
    /\ agreed' = <<setting>>
    /\ UNCHANGED <<book, exchange, network, past, edits, lost>>

(* The application of client c changes its data to `data`. *)
EditTo(c, data) ==
    /\ edit' = [edit EXCEPT ![c] = IF data = HeadData(c) THEN <<>> ELSE <<data>>]
    /\ edits' = edits + 1
    /\ UNCHANGED <<agreed, book, known, head, stored, standing, network, past, lost>>

(* CM-CLIENT-FETCH: client c fetches forms that are stored on its side   *)
(* of the network. The answer may be out of date, so some forms may be   *)
(* missing.                                                              *)
Fetch(c, forms) ==
    /\ forms \subseteq swarm[Side(c)]
    /\ known' = [known EXCEPT ![c] = @ \cup forms]
    /\ UNCHANGED <<agreed, book, head, stored, edit, standing, network, past, edits, lost>>

(* The number of a message, or the number that it gets when it is        *)
(* entered.                                                              *)
NumberFor(message) ==
    LET n == NumberOf(book, message) IN IF n /= 0 THEN n ELSE Len(book) + 1

(* Enters a message into the book, with the messages that it was made    *)
(* from, its changes, and whether it is sent.                            *)
Enter(message, place, from, changes, sent) ==
    /\ book' = Entered(book, message, place)
    /\ past' = LET n == NumberOf(book, message)
               IN  IF n /= 0 THEN [past EXCEPT ![n].sent = @ \/ sent]
                   ELSE Append(past,
                            [ from    |-> from,
                              all     |-> UNION {past[m].all : m \in from} \cup {Len(book) + 1},
                              changes |-> changes,
                              sent    |-> sent ])

(* CM-CLIENT-RESOLVE. A reading may add an unpushed merge to the         *)
(* messages that its client resolves. It is then entered into the book,  *)
(* like a message that is sent (CM-E72). place: the place of its hash,   *)
(* or 0 if none is added.                                                *)
Adds(c) == Reading.unpushedMerge = "added" /\ ~stored[c]
OwnPlaces(c) == IF Adds(c) THEN Places(book, head[c][1]) ELSE {0}
BookWithOwn(c, place) == IF Adds(c) THEN Entered(book, head[c][1], place) ELSE book
Resolvable(c, with) ==
    Listed(Valid(known[c]) \cup IF Adds(c) THEN {NumberOf(with, head[c][1])} ELSE {})

(* CM-CLIENT-RESOLVE, CM-CLIENT-EDIT-KEPT *)
Resolve(c, place) ==
    /\ Valid(known[c]) /= {}
    /\ place \in OwnPlaces(c)
    /\ LET with == TLCEval(BookWithOwn(c, place))
           resolution == Resolution(with, Window, Resolvable(c, with), Signature, CanSign(c))
           message == resolution.message
           staysUnpushed == Adds(c) /\ message = head[c][1]
       IN  /\ head' = [head EXCEPT ![c] = <<message>>]
           /\ stored' = [stored EXCEPT ![c] = ~resolution.merged /\ ~staysUnpushed]
           /\ edit' = [edit EXCEPT ![c] =
                  IF @ = <<>> THEN <<>> ELSE EditOn(message.data, HeadData(c), @[1])]
           /\ standing' = [standing EXCEPT ![c] =
                  IF staysUnpushed THEN @
                  ELSE IF resolution.merged THEN resolution.survivors
                  ELSE {NumberOf(with, message)}]
    /\ IF Adds(c) THEN Enter(head[c][1], place, standing[c], {}, FALSE) ELSE UNCHANGED <<book, past>>
    /\ UNCHANGED <<agreed, known, network, edits, lost>>

(* CM-CLIENT-BATCH, CM-CLIENT-DELETE-REFUSED, CM-SWARM-DEDUPLICATE *)
Executed(sides, batch) ==
    [sides EXCEPT ![Side(batch.client)] = (@ \cup {batch.store}) \ batch.delete]

(* place: the place of the message's hash. permitted: whether the swarm  *)
(* lets this client delete. late: whether the batch stays on the wire.   *)
Push(c, place, permitted, late) ==
    /\ ToPush(c) /= <<>>
    /\ LET message == TLCEval(ToPush(c)[1])
           n == NumberFor(message)
           form == <<n, 0>>
           batch == [ client |-> c,
                      store  |-> form,
                      delete |-> IF permitted THEN Obsolete(c, message) ELSE {} ]
       IN  /\ place \in Places(book, message)
           /\ Enter(message, place, standing[c], Changes(HeadData(c), Seen(c)), TRUE)
           /\ known' = [known EXCEPT ![c] = @ \cup {form}]
           /\ head' = [head EXCEPT ![c] = <<message>>]
           /\ stored' = [stored EXCEPT ![c] = TRUE]
           /\ edit' = [edit EXCEPT ![c] = <<>>]
           /\ standing' = [standing EXCEPT ![c] = {n}]
           /\ IF late THEN wire' = Append(wire, batch) /\ UNCHANGED swarm
              ELSE swarm' = Executed(swarm, batch) /\ UNCHANGED wire
    /\ UNCHANGED <<agreed, far, edits, lost>>

-----------------------------------------------------------------------------
(* Network actions *)

(* All batches on the wire arrive, in the order in which they were       *)
(* pushed.                                                               *)
Deliver ==
    /\ LET after[k \in 0..Len(wire)] ==
               IF k = 0 THEN swarm ELSE Executed(after[k - 1], wire[k])
       IN  swarm' = after[Len(wire)]
    /\ wire' = <<>>
    /\ UNCHANGED <<agreed, book, exchange, far, past, edits, lost>>

(* All batches on the wire are lost. Their senders are not notified. *)
Lose ==
    /\ wire' = <<>>
    /\ lost' = (lost \/ wire /= <<>>)
    /\ UNCHANGED <<agreed, book, exchange, swarm, far, past, edits>>

(* The swarm stores a form that no client is pushing. *)
Store(form, side) ==
    /\ side \in DOMAIN swarm
    /\ swarm' = [swarm EXCEPT ![side] = @ \cup {form}]
    /\ UNCHANGED <<agreed, exchange, far, wire, edits, lost>>

(* The swarm stores a message again, under the same ciphertext or        *)
(* another one. Every form of message 0, copy 0 included, is not a       *)
(* message.                                                              *)
StoreForm(form, side) ==
    /\ form[1] \in {0} \cup DOMAIN book
    /\ Store(form, side)
    /\ UNCHANGED <<book, past>>

(* An outsider stores an update of a message, perhaps with unknown keys  *)
(* of a newer version.                                                   *)
StoreForeign(target, data, extra, place, side) ==
    LET update == Following(book, Window, target, data, Signature)
        message == [update EXCEPT !.extra = extra]
        n == NumberFor(message)
    IN  /\ place \in Places(book, message)
        /\ Enter(message, place, {target}, Changes(DataOf(book, target), data), TRUE)
        /\ Store(<<n, 0>>, side)

(* The swarm stores a message with a signature that nobody checks. It is *)
(* a different message, with otherwise the same parts                    *)
(* (CM-SIGN-NOT-REQUIRED).                                               *)
StoreSigned(target, sign, place, side) ==
    LET message == [book[target].message EXCEPT !.sign = sign]
        n == NumberFor(message)
    IN  /\ ~agreed[1].signed
        /\ place \in Places(book, message)
        /\ Enter(message, place, past[target].from, past[target].changes, TRUE)
        /\ Store(<<n, 0>>, side)

(* The network splits in two (Cut), and becomes one again (Heal). *)
Everything == UNION Range(swarm)
Cut(members) ==
    /\ members /= {}
    /\ members /= Client
    /\ swarm' = <<Everything, Everything>>
    /\ far' = members
    /\ UNCHANGED <<agreed, book, exchange, wire, past, edits, lost>>
Heal ==
    /\ swarm' = <<Everything>>
    /\ far' = {}
    /\ UNCHANGED <<agreed, book, exchange, wire, past, edits, lost>>

-----------------------------------------------------------------------------
(* Steps *)

Init ==
    /\ agreed = <<>>
    /\ book = FirstBook
    /\ known = [c \in Client |-> {}]
    /\ head = [c \in Client |-> <<>>]
    /\ stored = [c \in Client |-> TRUE]
    /\ edit = [c \in Client |-> <<>>]
    /\ swarm = <<{}>>
    /\ far = {}
    /\ wire = <<>>
    /\ past = [n \in DOMAIN FirstBook |->
                  [from |-> {}, all |-> {n}, changes |-> {}, sent |-> FALSE]]
    /\ standing = [c \in Client |-> {}]
    /\ edits = 0
    /\ lost = FALSE

(* If steps are drawn at random: one element of the set. Otherwise: the  *)
(* whole set.                                                            *)
Pick(set) == IF Sampled /\ set /= {} THEN {RandomElement(set)} ELSE set
Sometimes(times) == ~Sampled \/ RandomElement(1..times) = 1

(* The steps of a client. Steps that would change nothing are left out,  *)
(* except for an edit in a random behaviour.                             *)
Wishes(c) ==
    IF edits < MaxEdits /\ (edit[c] = <<>> \/ "rethink" \in Mishaps)
    THEN {Done(Seen(c), change) : change \in Pick(Menu)} \ (IF Sampled THEN {} ELSE {Seen(c)})
    ELSE {}
SomeOf(set) == IF Sampled THEN {{each \in set : RandomElement(BOOLEAN)}} ELSE SUBSET set
Answers(c) ==
    LET news == swarm[Side(c)] \ known[c]
    IN  (IF "partial" \in Mishaps /\ Sometimes(3) THEN SomeOf(news) ELSE {news}) \ {{}}
(* Whether resolving would change the client's head. *)
Behind(c) ==
    /\ Valid(known[c]) /= {}
    /\ LET with == TLCEval(BookWithOwn(c, 1))
           survivors == Survivors(with, Window, Resolvable(c, with))
           ranked == Ranked(with, survivors)
           base == IF Adds(c) THEN {NumberOf(with, head[c][1])} ELSE standing[c]
       IN  base /= IF CanSign(c) THEN Range(survivors) ELSE {ranked[Len(ranked)]}
ResolveSteps(c) ==
    IF Behind(c)
    THEN {[action |-> "resolve", client |-> c, place |-> place] : place \in Pick(OwnPlaces(c))}
    ELSE {}
(* These two operators take an argument so that TLC draws a new value    *)
(* each time.                                                            *)
Delays(c) == IF "delay" \in Mishaps /\ Sometimes(3) THEN Pick(BOOLEAN) ELSE {FALSE}
Permissions(c) == IF "refuse" \in Mishaps /\ Sometimes(2) THEN Pick(BOOLEAN) ELSE {TRUE}
PushSteps(c) ==
    LET pushed == TLCEval(ToPush(c))
    IN  IF pushed = <<>> THEN {}
        ELSE {[action |-> "push", client |-> c, place |-> place, permitted |-> permitted,
               late |-> late] : place \in Pick(Places(book, pushed[1])),
                                permitted \in Permissions(c), late \in Delays(c)}
EditSteps(c) == {[action |-> "edit", client |-> c, data |-> data] : data \in Wishes(c)}
OtherSteps(c) ==
    {[action |-> "fetch", client |-> c, forms |-> forms] : forms \in Answers(c)}
    \cup ResolveSteps(c)
    \cup PushSteps(c)
ClientSteps(c) ==
    LET others == OtherSteps(c)
    IN  others \cup (IF others = {} \/ Sometimes(3) THEN EditSteps(c) ELSE {})

(* Forms that are stored although no client pushes them: a message       *)
(* again, under its own ciphertext (copy 0) or another one; a form that  *)
(* is not a message; an outsider's update. In a cut network, the number  *)
(* of a copy says on which side it is stored.                            *)
Real == DOMAIN book \ DOMAIN FirstBook
Sent == {n \in Real : past[n].sent}
SideOf(k) == IF Len(swarm) = 1 THEN 1 ELSE 1 + (k % 2)
Junk == {form \in Everything : form[1] = 0}
Strays ==
    Pick((IF "repeat" \in Mishaps THEN Sent \X {0} ELSE {})
         \cup (IF "copy" \in Mishaps THEN Sent \X {1, 2} ELSE {})
         \cup (IF "junk" \in Mishaps /\ Sent /= {} /\ (Sampled \/ Junk = {})
               THEN {<<0, Cardinality(Junk) + 1>>} ELSE {}))
StoreSteps ==
    UNION {{[action |-> "network", event |-> "store", form |-> form, side |-> side] :
               side \in {each \in IF form[2] = 0 THEN DOMAIN swarm ELSE {SideOf(form[2])} :
                            form \notin swarm[each]}} : form \in Strays}
OutsideSteps ==
    UNION {UNION {{[action |-> "network", event |-> "outsider", target |-> n,
                    data |-> Done(DataOf(book, n), change), extra |-> book[n].message.extra,
                    place |-> place, side |-> 1] :
                      place \in Pick(Places(book, Following(book, Window, n,
                                            Done(DataOf(book, n), change), Signature)))} :
                  change \in Pick(OutsideMenu)} :
           n \in IF "outsider" \in Mishaps /\ Len(swarm) = 1 THEN Pick(Sent) ELSE {}}
Event(name) == [action |-> "network", event |-> name]
NetworkSteps ==
    (IF Sometimes(2) THEN StoreSteps ELSE {})
    \cup (IF Sometimes(4) THEN OutsideSteps ELSE {})
    \cup (IF wire = <<>> THEN {} ELSE {Event("deliver")})
    \cup (IF wire /= <<>> /\ "lose" \in Mishaps THEN {Event("lose")} ELSE {})
    \cup (IF Len(swarm) = 2 THEN {Event("heal")} ELSE {})
    \cup (IF Len(swarm) = 2 \/ "cut" \notin Mishaps THEN {}
          ELSE {[action |-> "network", event |-> "cut", members |-> members] :
                members \in IF Sometimes(4) THEN Pick(SUBSET Client \ {{}, Client}) ELSE {}})

Steps ==
    IF agreed = <<>>
    THEN {[action |-> "agree", setting |-> setting] : setting \in Pick(Settings)}
    ELSE IF "dawdle" \notin Mishaps /\ \E c \in Client : Behind(c)
         THEN UNION {ResolveSteps(c) : c \in Client}
    ELSE (IF Sometimes(2) THEN NetworkSteps ELSE {})
         \cup UNION {ClientSteps(c) : c \in Pick(Client)}

(* The network steps. A trace may also contain an update with unknown    *)
(* keys, and a message with another signature.                           *)
TakeNetwork(step) ==
    CASE step.event = "store" -> StoreForm(step.form, step.side)
      [] step.event = "outsider" ->
            StoreForeign(step.target, step.data, step.extra, step.place, step.side)
      [] step.event = "signed" -> StoreSigned(step.target, step.sign, step.place, step.side)
      [] step.event = "deliver" -> Deliver
      [] step.event = "lose" -> Lose
      [] step.event = "cut" -> Cut(step.members)
      [] step.event = "heal" -> Heal

(* Resolving is possible if no valid message is known, and pushing is    *)
(* possible if there is nothing to push (place 0). Both then change      *)
(* nothing.                                                              *)
Take(step) ==
    CASE step.action = "agree" -> Agree(step.setting)
      [] step.action = "edit" -> EditTo(step.client, step.data)
      [] step.action = "fetch" -> Fetch(step.client, step.forms)
      [] step.action = "resolve" ->
            IF Valid(known[step.client]) = {} THEN UNCHANGED vars
            ELSE Resolve(step.client, step.place)
      [] step.action = "push" ->
            IF step.place = 0 THEN ToPush(step.client) = <<>> /\ UNCHANGED vars
            ELSE Push(step.client, step.place, step.permitted, step.late)
      [] step.action = "network" -> TakeNetwork(step)

(* The values that are compared with the code after a step: everything   *)
(* that the step may have changed and that the code exposes.             *)
Newest == IF book = <<>> THEN <<>> ELSE <<Len(book), book[Len(book)].message>>
Shown(c) ==  \* the head: its number, or its parts if it has no number yet
    IF head[c] = <<>> THEN <<0, <<>>>>
    ELSE LET n == NumberOf(book, head[c][1]) IN <<n, IF n = 0 THEN head[c] ELSE <<>>>>
Observed(step) ==
    CASE step.action = "agree" -> <<>>
      [] step.action = "edit" -> edit[step.client]
      [] step.action = "fetch" -> known[step.client]
      [] step.action = "resolve" -> <<Shown(step.client), stored[step.client], edit[step.client]>>
      [] step.action = "push" -> <<head[step.client], stored[step.client], swarm, Len(book)>>
      [] step.action = "network" -> <<swarm, Newest>>

-----------------------------------------------------------------------------
(* Behaviours *)

Next == \E step \in Steps : Take(step)

Spec == Init /\ [][Next]_vars

(* Fairness: every client eventually fetches, resolves and pushes.       *)
(* Batches on the wire eventually arrive, and a cut network eventually   *)
(* heals.                                                                *)
Some(steps) == \E step \in steps : Take(step)
Of(action, steps) == {step \in steps : step.action = action}
Diligence ==
    /\ \A c \in Client : \A action \in {"fetch", "resolve", "push"} :
           WF_vars(agreed /= <<>> /\ Some(Of(action, ClientSteps(c))))
    /\ WF_vars(agreed /= <<>> /\ wire /= <<>> /\ Deliver)
    /\ WF_vars(agreed /= <<>> /\ Len(swarm) = 2 /\ Heal)

FairSpec == Spec /\ Diligence
=============================================================================
