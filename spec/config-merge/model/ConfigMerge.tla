----------------------------- MODULE ConfigMerge -----------------------------
(***************************************************************************)
(* Clients and a swarm.  Clients edit, push, fetch and resolve, in any     *)
(* order and each on its own; between them and the swarm things are        *)
(* delayed, lost, repeated, refused, or the network falls in two.          *)
(*                                                                         *)
(* What is stored is a *form*, <<n, copy>>: message n of the book under    *)
(* one of its ciphertexts.  All honest clients make the same ciphertext of *)
(* a message, copy 0 (CM-ENCRYPT-DETERMINISTIC).  <<0, k>> is something    *)
(* that is no valid message: it cannot be decrypted, or breaks a rule.     *)
(*                                                                         *)
(* The grain of the actions is that of the clauses: CM-CLIENT-FETCH,       *)
(* CM-CLIENT-RESOLVE, CM-CLIENT-EDIT-KEPT, CM-CLIENT-PUSH-EDIT,            *)
(* CM-CLIENT-PUSH-MERGE.                                                   *)
(***************************************************************************)
EXTENDS Messages

CONSTANTS
    Client,       \* the clients
    Settings,     \* what they may agree on: a set of [window, signed, readers]
    Menu,         \* the single changes that an edit may make
    OutsideMenu,  \* those that somebody else may make
    MaxEdits,     \* edits in a behaviour
    Sampled,      \* whether Steps are a few, drawn at random, and not all there are
    Mishaps       \* what may happen besides, a set of these:
                  \*   rethink   an edit is changed before it is pushed
                  \*   dawdle    what was fetched is resolved later, not at once
                  \*   partial   a fetch brings a part of what is there
                  \*   refuse    deletion is not permitted
                  \*   delay     batches stay on the way; lose: they may be lost there
                  \*   repeat    a message is stored again; copy: under another ciphertext
                  \*   junk      what is no message is stored
                  \*   outsider  somebody else stores an update
                  \*   cut       the network falls in two

VARIABLES
    agreed,     \* <<[window |-> N, signed |-> whether messages must be signed,
                \*   readers |-> the clients that cannot sign]>>; <<>> at the very beginning
    book,       \* all messages that have been stored or sent, and the order of their hashes
    known,      \* client -> the forms that it knows
    head,       \* client -> <<its head>>, or <<>> before the first
    stored,     \* client -> FALSE while its head is a merge that it has not pushed
    edit,       \* client -> <<the data that its edit leads to>>, or <<>> for no edit
    swarm,      \* the forms that are stored: one set, or two while the network is cut
    far,        \* the clients that reach the second of them
    wire,       \* batches on their way, in the order in which they were pushed
    (* What follows is there for the laws alone: nothing above depends on it. *)
    past,       \* message -> the messages that it was made from, all its ancestors, its changes
    standing,   \* client -> the messages that its head is, or is merged from
    edits,      \* how many edits there have been
    lost        \* whether a batch was lost

exchange == <<known, head, stored, edit, standing>>
network == <<swarm, far, wire>>
vars == <<agreed, book, exchange, network, past, edits, lost>>

-----------------------------------------------------------------------------
(* What a client has *)

HeadData(c) == IF head[c] = <<>> THEN Empty ELSE head[c][1].data
Seen(c) == IF edit[c] = <<>> THEN HeadData(c) ELSE edit[c][1]    \* by the application
Valid(forms) == {form[1] : form \in forms} \ {0}                 \* CM-IGNORE-INVALID
Window == agreed[1].window                                       \* CM-CLIENT-WINDOW-AGREED
CanSign(c) == c \notin agreed[1].readers
Signature == IF agreed[1].signed THEN "signed" ELSE ""
Side(c) == IF c \in far THEN 2 ELSE 1

Resolved(forms, canSign) ==
    Resolution(book, Window, Listed(Valid(forms)), Signature, canSign)

(* An edit of the data `old` to `seen`, as an edit of the data `new`.       *)
(* CM-CLIENT-EDIT-KEPT.                                                     *)
EditOn(new, old, seen) ==
    LET edited == Applied(new, Diff(old, seen), seen)
    IN  IF edited = new THEN <<>> ELSE <<edited>>

(* <<The message that a push sends>>, or <<>>: CM-CLIENT-PUSH-EDIT,          *)
(* CM-CLIENT-PUSH-MERGE, CM-CLIENT-UNREADABLE, CM-SIGN-CANNOT-UPDATE.        *)
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
(* What clients do *)

(* They agree on N and on keys: CM-CLIENT-WINDOW-AGREED, CM-SIGN-CONTEXT. *)
Agree(setting) ==
    /\ agreed = <<>>
    /\ setting \in Settings
    /\ agreed' = <<setting>>
    /\ UNCHANGED <<book, exchange, network, past, edits, lost>>

(* The application of a client has these data now. *)
EditTo(c, data) ==
    /\ edit' = [edit EXCEPT ![c] = IF data = HeadData(c) THEN <<>> ELSE <<data>>]
    /\ edits' = edits + 1
    /\ UNCHANGED <<agreed, book, known, head, stored, standing, network, past, lost>>

(* CM-CLIENT-FETCH: of what is stored at its side.  An answer may be late,  *)
(* so that some of it is missing.                                           *)
Fetch(c, forms) ==
    /\ forms \subseteq swarm[Side(c)]
    /\ known' = [known EXCEPT ![c] = @ \cup forms]
    /\ UNCHANGED <<agreed, book, head, stored, edit, standing, network, past, edits, lost>>

(* CM-CLIENT-RESOLVE, CM-CLIENT-EDIT-KEPT *)
Resolve(c) ==
    /\ Valid(known[c]) /= {}
    /\ LET resolution == Resolved(known[c], CanSign(c))
           message == resolution.message
       IN  /\ head' = [head EXCEPT ![c] = <<message>>]
           /\ stored' = [stored EXCEPT ![c] = ~resolution.merged]
           /\ edit' = [edit EXCEPT ![c] =
                  IF @ = <<>> THEN <<>> ELSE EditOn(message.data, HeadData(c), @[1])]
           /\ standing' = [standing EXCEPT ![c] =
                  IF resolution.merged THEN resolution.survivors ELSE {NumberOf(book, message)}]
    /\ UNCHANGED <<agreed, book, known, network, past, edits, lost>>

(* The number that a message has or will have. *)
NumberFor(message) ==
    LET n == NumberOf(book, message) IN IF n /= 0 THEN n ELSE Len(book) + 1

(* The book with a message that was made from others by these changes. *)
Enter(message, place, from, changes) ==
    /\ book' = Entered(book, message, place)
    /\ past' = IF \E n \in DOMAIN book : book[n].message = message THEN past
               ELSE Append(past,
                        [ from    |-> from,
                          all     |-> UNION {past[n].all : n \in from} \cup {Len(book) + 1},
                          changes |-> changes ])

(* CM-CLIENT-BATCH, CM-CLIENT-DELETE-REFUSED, CM-SWARM-DEDUPLICATE *)
Executed(sides, batch) ==
    [sides EXCEPT ![Side(batch.client)] = (@ \cup {batch.store}) \ batch.delete]

(* place: of the message's hash.  permitted: whether the swarm lets this    *)
(* client delete.  late: the batch stays on its way.                        *)
Push(c, place, permitted, late) ==
    /\ ToPush(c) /= <<>>
    /\ LET message == TLCEval(ToPush(c)[1])
           n == NumberFor(message)
           form == <<n, 0>>
           batch == [ client |-> c,
                      store  |-> form,
                      delete |-> IF permitted THEN Obsolete(c, message) ELSE {} ]
       IN  /\ place \in Places(book, message)
           /\ Enter(message, place, standing[c], Changes(HeadData(c), Seen(c)))
           /\ known' = [known EXCEPT ![c] = @ \cup {form}]
           /\ head' = [head EXCEPT ![c] = <<message>>]
           /\ stored' = [stored EXCEPT ![c] = TRUE]
           /\ edit' = [edit EXCEPT ![c] = <<>>]
           /\ standing' = [standing EXCEPT ![c] = {n}]
           /\ IF late THEN wire' = Append(wire, batch) /\ UNCHANGED swarm
              ELSE swarm' = Executed(swarm, batch) /\ UNCHANGED wire
    /\ UNCHANGED <<agreed, far, edits, lost>>

-----------------------------------------------------------------------------
(* What happens to them *)

(* All that is on its way arrives, in the order in which it was pushed. *)
Deliver ==
    /\ LET after[k \in 0..Len(wire)] ==
               IF k = 0 THEN swarm ELSE Executed(after[k - 1], wire[k])
       IN  swarm' = after[Len(wire)]
    /\ wire' = <<>>
    /\ UNCHANGED <<agreed, book, exchange, far, past, edits, lost>>

(* All that is on its way is lost; those who sent it do not hear of it. *)
Lose ==
    /\ wire' = <<>>
    /\ lost' = (lost \/ wire /= <<>>)
    /\ UNCHANGED <<agreed, book, exchange, swarm, far, past, edits>>

(* Something is stored that no client pushes now.  *)
Store(form, side) ==
    /\ side \in DOMAIN swarm
    /\ swarm' = [swarm EXCEPT ![side] = @ \cup {form}]
    /\ UNCHANGED <<agreed, exchange, far, wire, edits, lost>>

(* A message once more, under the same ciphertext or another one; copy 0 of *)
(* message 0, and any other of it, is no message at all.                    *)
StoreForm(form, side) ==
    /\ form[1] \in {0} \cup DOMAIN book
    /\ Store(form, side)
    /\ UNCHANGED <<book, past>>

(* An update of a message by somebody else, perhaps with unknown keys of a  *)
(* newer version.                                                           *)
StoreForeign(target, data, extra, place, side) ==
    LET update == Following(book, Window, target, data, Signature)
        message == [update EXCEPT !.extra = extra]
        n == NumberFor(message)
    IN  /\ place \in Places(book, message)
        /\ Enter(message, place, {target}, Changes(DataOf(book, target), data))
        /\ Store(<<n, 0>>, side)

(* A message with a signature that nobody checks: another message with the  *)
(* same parts otherwise (CM-SIGN-NOT-REQUIRED).                             *)
StoreSigned(target, sign, place, side) ==
    LET message == [book[target].message EXCEPT !.sign = sign]
        n == NumberFor(message)
    IN  /\ ~agreed[1].signed
        /\ place \in Places(book, message)
        /\ Enter(message, place, past[target].from, past[target].changes)
        /\ Store(<<n, 0>>, side)

(* The network falls in two, and becomes one again. *)
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
    /\ past = [n \in DOMAIN FirstBook |-> [from |-> {}, all |-> {n}, changes |-> {}]]
    /\ standing = [c \in Client |-> {}]
    /\ edits = 0
    /\ lost = FALSE

(* Where steps are drawn at random, one of a set, or all of it otherwise.   *)
Pick(set) == IF Sampled /\ set /= {} THEN {RandomElement(set)} ELSE set
Sometimes(times) == ~Sampled \/ RandomElement(1..times) = 1

(* The steps of a client.  Those that would change nothing are left out,    *)
(* but for an edit of a random behaviour.                                   *)
Wishes(c) ==
    IF edits < MaxEdits /\ (edit[c] = <<>> \/ "rethink" \in Mishaps)
    THEN {Done(Seen(c), change) : change \in Pick(Menu)} \ (IF Sampled THEN {} ELSE {Seen(c)})
    ELSE {}
SomeOf(set) == IF Sampled THEN {{each \in set : RandomElement(BOOLEAN)}} ELSE SUBSET set
Answers(c) ==
    LET news == swarm[Side(c)] \ known[c]
    IN  (IF "partial" \in Mishaps /\ Sometimes(3) THEN SomeOf(news) ELSE {news}) \ {{}}
(* Whether to resolve makes a difference. *)
Behind(c) ==
    /\ Valid(known[c]) /= {}
    /\ LET survivors == Survivors(book, Window, Listed(Valid(known[c])))
           ranked == Ranked(book, survivors)
       IN  standing[c] /= IF CanSign(c) THEN Range(survivors) ELSE {ranked[Len(ranked)]}
(* These two have an argument so that TLC draws anew each time. *)
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
    \cup (IF Behind(c) THEN {[action |-> "resolve", client |-> c]} ELSE {})
    \cup PushSteps(c)
ClientSteps(c) ==
    LET others == OtherSteps(c)
    IN  others \cup (IF others = {} \/ Sometimes(3) THEN EditSteps(c) ELSE {})

(* What can be stored by nobody: a message again, under its own ciphertext  *)
(* (copy 0) or another; what is no message; somebody else's update.  The    *)
(* number of a copy says at which side of a cut network it comes in.        *)
Real == DOMAIN book \ DOMAIN FirstBook
SideOf(k) == IF Len(swarm) = 1 THEN 1 ELSE 1 + (k % 2)
Junk == {form \in Everything : form[1] = 0}
Strays ==
    Pick((IF "repeat" \in Mishaps THEN Real \X {0} ELSE {})
         \cup (IF "copy" \in Mishaps THEN Real \X {1, 2} ELSE {})
         \cup (IF "junk" \in Mishaps /\ Real /= {} /\ (Sampled \/ Junk = {})
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
           n \in IF "outsider" \in Mishaps /\ Len(swarm) = 1 THEN Pick(Real) ELSE {}}
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
         THEN {[action |-> "resolve", client |-> c] : c \in {each \in Client : Behind(each)}}
    ELSE (IF Sometimes(2) THEN NetworkSteps ELSE {})
         \cup UNION {ClientSteps(c) : c \in Pick(Client)}

(* A network step that a trace may take too: an update with unknown keys,   *)
(* and a message with another signature.                                    *)
TakeNetwork(step) ==
    CASE step.event = "store" -> StoreForm(step.form, step.side)
      [] step.event = "outsider" ->
            StoreForeign(step.target, step.data, step.extra, step.place, step.side)
      [] step.event = "signed" -> StoreSigned(step.target, step.sign, step.place, step.side)
      [] step.event = "deliver" -> Deliver
      [] step.event = "lose" -> Lose
      [] step.event = "cut" -> Cut(step.members)
      [] step.event = "heal" -> Heal

(* To resolve where nothing valid is known, and to push where there is      *)
(* nothing to push (place 0), is possible and changes nothing.              *)
Take(step) ==
    CASE step.action = "agree" -> Agree(step.setting)
      [] step.action = "edit" -> EditTo(step.client, step.data)
      [] step.action = "fetch" -> Fetch(step.client, step.forms)
      [] step.action = "resolve" ->
            IF Valid(known[step.client]) = {} THEN UNCHANGED vars ELSE Resolve(step.client)
      [] step.action = "push" ->
            IF step.place = 0 THEN ToPush(step.client) = <<>> /\ UNCHANGED vars
            ELSE Push(step.client, step.place, step.permitted, step.late)
      [] step.action = "network" -> TakeNetwork(step)

(* What is compared with the code after a step: all that it may have changed, *)
(* and the code can be asked.                                                 *)
Newest == IF book = <<>> THEN <<>> ELSE <<Len(book), book[Len(book)].message>>
Shown(c) ==  \* the head: by its number, or, as long as it has none, by its parts
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

(* Every client keeps in touch: it fetches, resolves and pushes in the end; *)
(* what is on its way arrives, and a cut network is mended.                 *)
Some(steps) == \E step \in steps : Take(step)
Of(action, steps) == {step \in steps : step.action = action}
Diligence ==
    /\ \A c \in Client : \A action \in {"fetch", "resolve", "push"} :
           WF_vars(agreed /= <<>> /\ Some(Of(action, ClientSteps(c))))
    /\ WF_vars(agreed /= <<>> /\ wire /= <<>> /\ Deliver)
    /\ WF_vars(agreed /= <<>> /\ Len(swarm) = 2 /\ Heal)

FairSpec == Spec /\ Diligence
=============================================================================
