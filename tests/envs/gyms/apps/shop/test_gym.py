"""What must not reach success: doing nothing, doing too much, forging, claiming."""

from __future__ import annotations

import random
from urllib.parse import urlsplit

import pytest

from envs.contract.session import Verdict
from envs.contract.task import Task
from envs.gyms.apps.shop.catalogue import get_catalogue
from envs.gyms.apps.shop.gym import GYM as SHOP
from envs.gyms.kit.answers import same_answer
from envs.gyms.kit.gym import HARM_CAP, PARTIAL
from tests.envs.gyms.driver import Driver
from tests.envs.gyms.harness import GymServer, drive

SEEDS = range(4)


def press(driver: Driver, name: str) -> None:
    driver.observe()
    button = next(n for n in driver.refs.values() if n.tag == "button" and n.text() == name)
    driver._click(button)


@pytest.mark.parametrize("template", SHOP.templates)
def test_no_op_fails(template: str, server: GymServer) -> None:
    for seed in SEEDS:
        task = SHOP.make_task(template, seed)
        server.driver("noop", task)
        assert server.verdict("noop").score == 0.0
        assert server.verdict("noop", infeasible=True).score == 0.0


@pytest.mark.parametrize("template", SHOP.templates)
def test_over_action_fails(template: str, server: GymServer) -> None:
    """All that the oracle did, and one thing that nobody asked for."""
    for seed in SEEDS:
        task = SHOP.make_task(template, seed)
        driver = server.driver("over", task)
        run = drive(server, "over", task, driver)
        kept = {entry["id"] for entry in server.view("over")["after"]["wishlist"]}
        other = next(
            product.id
            for product in get_catalogue(seed).products
            if product.id not in kept | {task.params.get("product")}
        )
        driver.open(f"/shop/p/{other}")
        press(driver, "Save to wish list")
        verdict = server.verdict("over", run.answer, run.infeasible)
        assert verdict.score <= HARM_CAP, (task.id, verdict)
        assert verdict.details["state"]["forbidden"] == [f"added /wishlist/{other}"]


@pytest.mark.parametrize("template", SHOP.templates)
def test_forged_posts_change_nothing(template: str, server: GymServer) -> None:
    """The oracle's own posts, sent again to a fresh session without the forms it was shown."""
    for seed in SEEDS:
        task = SHOP.make_task(template, seed)
        driver = server.driver("honest", task)
        run = drive(server, "honest", task, driver)
        server.put("forger", task)
        client = server.page_client("forger")
        for path, fields in driver.posts:
            bare = {name: value for name, value in fields.items() if name != "token"}
            for forged in (fields, bare, {**bare, "token": "0" * 24}):
                assert client.post(path, data=forged).status_code == 303
            client.get(path, params=fields)
        assert server.verdict("forger").score == 0.0
        view = server.view("forger")
        changed = {key for key in view["after"] if view["after"][key] != view["before"][key]}
        assert changed <= {"log", "flash", "draft"}
        if driver.posts:
            assert server.verdict("forger", run.answer, run.infeasible).score == 0.0


def test_token_of_another_form_of_the_same_session_does_not_count(server: GymServer) -> None:
    task = SHOP.make_task("checkout", 3)
    driver = server.driver("forms", task)
    driver.open("/shop/cart")
    coupon = next(f for f in driver.root.find_all("form") if f.attributes.get("class") == "coupon")
    token = driver._fields(coupon)["token"]
    fields = {"address": task.params["address"], "shipping": task.params["shipping"],
              "payment": task.params["payment"], "terms": "yes", "token": token}  # fmt: skip
    driver.client.post("/shop/checkout/place", data=fields)
    assert server.view("forms")["after"]["cart"] == server.view("forms")["before"]["cart"]


def test_form_of_the_task_before_does_not_count_after_a_reset(server: GymServer) -> None:
    task = SHOP.make_task("remove", 3)
    driver = server.driver("again", task)
    driver.open("/shop/cart")
    observed = driver.observe()
    assert observed.tree is not None
    server.put("again", task)
    press(driver, "Remove")
    after = server.view("again")["after"]
    assert after["cart"] == server.view("again")["before"]["cart"]
    assert any("expired" in text for text in driver.root.text().splitlines())


def claims(task: Task, seed: int) -> list[str]:
    """Answers that somebody might try: prices, totals, nothing, everything."""
    rng = random.Random(seed)
    prices = [product.price_text for product in rng.sample(get_catalogue(seed).products, 20)]
    return ["", "0", "$0.00", "done", "yes", "NaN", "inf", " ".join(prices), *prices]


@pytest.mark.parametrize("template", SHOP.templates)
def test_claims_without_the_work_fail(template: str) -> None:
    for seed in SEEDS:
        task = SHOP.make_task(template, seed)
        before = SHOP.initial_state(task)
        spec, catalogue = SHOP.spec(template), get_catalogue(seed)
        make_answer = spec.expected_answer
        right = make_answer(catalogue, task.params, before) if make_answer else None
        for answer in claims(task, seed):
            if right is not None and same_answer(answer, right, "dollars", catalogue.locale):
                continue
            for infeasible in (False, True):
                verdict = SHOP.verdict(task, before, before, answer, infeasible)
                assert verdict.score == 0.0, (task.id, answer)


@pytest.mark.parametrize("template", SHOP.templates)
def test_right_state_with_the_wrong_ending_is_no_success(template: str, server: GymServer) -> None:
    task = SHOP.make_task(template, 5)
    run = drive(server, "ending", task, server.driver("ending", task))
    assert server.verdict("ending", run.answer, not run.infeasible).score <= PARTIAL
    if run.answer is not None:
        assert server.verdict("ending", "$1.11").score <= PARTIAL
        assert server.verdict("ending", None).score <= PARTIAL


def test_milestones_give_partial_credit_in_order(server: GymServer) -> None:
    task = SHOP.make_task("add_sized", 1)
    driver = server.driver("part", task)
    scores = [server.verdict("part").score]
    for path in (f"/shop/search?q={task.params['name']}", f"/shop/p/{task.params['product']}"):
        driver.open(path)
        scores.append(server.verdict("part").score)
    assert scores == [0.0, pytest.approx(0.2), pytest.approx(0.4)]
    skipped = server.driver("skip", task)
    skipped.open(f"/shop/p/{task.params['product']}")
    assert server.verdict("skip").score == 0.0


def test_coupon_on_the_way_to_an_order_is_no_harm(server: GymServer) -> None:
    task = SHOP.make_task("coupon_order", 2)
    oracle, driver = SHOP.oracle(task), server.driver("way", task)
    for _ in range(2):
        driver.act(oracle.move(driver.observe()).action)
    assert server.view("way")["after"]["coupon"] == task.params["coupon"]
    verdict = server.verdict("way")
    assert verdict.score == pytest.approx(PARTIAL * 2 / 4)
    assert "forbidden" not in verdict.details["state"]


def test_verdict_can_be_recomputed_offline(server: GymServer) -> None:
    for template in SHOP.templates:
        task = SHOP.make_task(template, 8)
        run = drive(server, "offline", task, server.driver("offline", task))
        view = server.view("offline")
        again = SHOP.verdict(
            Task.model_validate(view["task"]),
            view["before"],
            view["after"],
            run.answer,
            run.infeasible,
        )
        assert again == run.verdict


def test_same_seed_and_actions_give_the_same_state_hash_and_verdict(server: GymServer) -> None:
    for template in SHOP.templates:
        outcomes: list[tuple[str, Verdict, list[str]]] = []
        for key in ("first", "second"):
            task = SHOP.make_task(template, 11)
            run = drive(server, key, task, server.driver(key, task))
            outcomes.append((server.view(key)["state_hash"], run.verdict, run.trees))
        assert outcomes[0] == outcomes[1]


def test_infeasible_counts_only_after_a_look_at_the_product(server: GymServer) -> None:
    task = SHOP.make_task("missing_color", 6)
    driver = server.driver("look", task)
    assert server.verdict("look", infeasible=True).score == 0.0
    driver.open(f"/shop/p/{task.params['product']}")
    assert server.verdict("look", infeasible=True).score == 1.0


def test_every_form_of_a_page_posts_below_that_page(server: GymServer) -> None:
    task = SHOP.make_task("checkout", 9)
    driver = server.driver("forms", task)
    address = f"/shop/addresses/{SHOP.initial_state(task)['addresses'][0]['id']}"
    for path in ("/shop/cart", "/shop/checkout", "/shop/p/p3", address):
        driver.open(path)
        posts = [f for f in driver.root.find_all("form") if f.attributes.get("method") == "post"]
        assert posts
        for form in posts:
            action = form.attributes["action"]
            assert urlsplit(action).path.rpartition("/")[0] == path
            assert driver._fields(form)["token"]
